import type { JsonObject } from "./chat.js";

export type UiStatus = "info" | "success" | "warning" | "error" | "pending";

/** A card to be drawn. All texts in it are data, never HTML. */
export interface UiSchema {
  version: "2.0";
  locale: string;
  status: UiStatus;
  theme: "default" | "light" | "dark";
  meta?: UiMeta;
  root: UiNode;
}

export interface UiMeta {
  requestId?: string;
  toolId?: string;
  traceId?: string;
  userId?: string;
}

export type UiNode = UiStack | UiGrid | UiText | UiBadge | UiIcon | UiImage | UiKv | UiDivider | UiButton;

export interface UiStack {
  type: "stack";
  direction?: "vertical" | "horizontal";
  gap?: number;
  appearance?: string;
  children: UiNode[];
}

export interface UiGrid {
  type: "grid";
  columns: number;
  gap?: number;
  children: UiNode[];
}

export interface UiText {
  type: "text";
  content: string;
  role: "title" | "subtitle" | "body" | "caption" | "code";
  format?: "plain" | "markdown";
}

export interface UiBadge {
  type: "badge";
  label: string;
  status: UiStatus;
}

export interface UiIcon {
  type: "icon";
  source: "icon" | "emoji" | "url";
  value: string;
}

export interface UiImage {
  type: "image";
  url: string;
  alt: string;
}

export interface UiKv {
  type: "kv";
  items: UiKvItem[];
}

export interface UiKvItem {
  label: string;
  value: string;
}

export interface UiDivider {
  type: "divider";
}

export interface UiButton {
  type: "button";
  label: string;
  style: "primary" | "secondary" | "ghost" | "danger";
  action: UiAction;
}

export type UiAction = UiNavigationAction | UiUrlAction | UiEventAction | UiToolAction | UiCopyAction;

export interface UiNavigationAction {
  type: "navigation";
  path: string;
}

export interface UiUrlAction {
  type: "url";
  url: string;
}

export interface UiEventAction {
  type: "event";
  name: string;
  payload?: unknown;
}

export interface UiToolAction {
  type: "tool";
  name: string;
  args?: JsonObject;
}

export interface UiCopyAction {
  type: "copy";
  text: string;
}
