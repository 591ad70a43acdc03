/**
 * Moves the focus to the heading after a navigation within the tab: screen readers announce the page, and the Tab key continues from there.
 * After a page load the browser does this itself.
 */

let hasNavigated = false;

export function focusHeading(): void {
  hasNavigated = true;
  const heading = document.querySelector<HTMLElement>('main h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Focuses the heading again after it was replaced when the data arrived. */
export function focusReplacedHeading(): void {
  if (hasNavigated && (document.activeElement ?? document.body) === document.body) focusHeading();
}
