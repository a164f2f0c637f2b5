"""Texts as people of the world write them."""

UNICODE = "Grüße, 世界 🌍 e\u0301 العربية 👩‍🔬"
