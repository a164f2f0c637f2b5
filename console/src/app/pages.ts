import { lazy } from "react";

/** Pages that a newcomer does not see first are fetched when they are opened. */
export const Inspector = lazy(() => import("../inspector/Inspector"));
export const Operate = lazy(() => import("../operator/Operate"));
