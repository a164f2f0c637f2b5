/** Does something when the next frame is drawn; or soon, since frames are not drawn while nobody looks. */
export function nextFrame(then: () => void): void {
  if (typeof document === "undefined" || document.hidden) {
    setTimeout(then, 16);
  } else {
    requestAnimationFrame(then);
  }
}
