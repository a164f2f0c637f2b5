import type { Message } from "@parley/client";
import { copyText } from "../ui/CopyButton";
import type { Talk } from "./context";
import { shownText } from "./model/said";

/** Copies what a message says, and tells those who listen whether it could. */
export async function copyMessage({ announce }: Talk, message: Message): Promise<void> {
  announce((await copyText(shownText(message))) ? "Copied" : "Not copied");
}
