/**
 * Where the focus is on a page that the visitor came to within the tab: on its heading, so that a screen reader says where the visitor is and the
 * Tab key goes on from there. After a page load the browser does this by itself.
 */

let moved = false;

export function focusHeading(): void {
  moved = true;
  const heading = document.querySelector<HTMLElement>('main h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** A heading that is replaced when the data is there takes the focus with it. */
export function focusNewHeading(): void {
  if (moved && (document.activeElement ?? document.body) === document.body) focusHeading();
}
