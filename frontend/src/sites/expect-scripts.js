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
})(document.documentElement);
