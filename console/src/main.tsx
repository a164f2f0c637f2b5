import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/controls.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { showChosenTheme } from "./app/theme";

showChosenTheme();

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
