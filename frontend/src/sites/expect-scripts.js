// In the page itself (index.ejs), before its first paint: the class `running` hides what only the plain page needs, and shows what needs
// scripts. It is not set where modules do not run, and is removed when a script is lost, refused or fails before the application starts;
// then main.tsx decides. Engines that cannot read this keep the plain page.
(page => {
  if (!('noModule' in document.createElement('script'))) return;
  page.className = 'running';
  function giveBack(event) {
    var from = event.target;
    // A picture that fails is no reason, but an exception is one: its target is the window.
    if (
      !page.hasAttribute('data-started') &&
      (from === window || from === document || from.tagName === 'SCRIPT')
    )
      page.className = '';
  }
  addEventListener('error', giveBack, true);
  // Modules have run, or failed, by then.
  addEventListener('load', giveBack);
  // Taps on buttons before hydration, which early-taps.ts replays: on a slow connection it follows seconds after the first paint. Each button
  // counts once, because visitors tap again when one does not react. The browser opens links by itself, and sends forms, except one whose
  // field only the plain page shows.
  function record(event) {
    var button = event.target.closest('button');
    if (!button || button.disabled || page.className !== 'running') return;
    if (button.type === 'submit') {
      if (!button.hasAttribute('data-early')) return;
      event.preventDefault();
    }
    if (record.buttons.indexOf(button) < 0) record.buttons.push(button);
    button.setAttribute('data-tapped', '');
  }
  record.buttons = [];
  page.record = record;
  document.addEventListener('click', record, true);
})(document.documentElement);
