/** Generated from languages/en.toml by `npm run messages`: each message's id, and what is filled in. */
export type Messages = {
  /** The language's code. */
  lang: null;
  months: null;
  decimal: null;
  description: { name: string | number; price: string | number };
  undrawn: { name: string | number };
  'directory-heading': null;
  'directory-lead': null;
  'about-comedy': null;
  'about-diski': null;
  'about-meme': null;
  'about-tt': null;
  language: null;
  ok: null;
  skip: null;
  logo: { name: string | number };
  'main-menu': null;
  'quick-links': null;
  'open-menu': null;
  'close-menu': null;
  HOME: null;
  home: null;
  'my-subscription': null;
  mine: null;
  terms: null;
  'want-to-unsubscribe': null;
  help: { helpline: string | number };
  'price-a-day': { price: string | number };
  'price-a-week': { price: string | number };
  'price-a-month': { price: string | number };
  'first-charge': { date: string | number; price: string | number };
  'parts-two': { price: string | number; second: string | number };
  'parts-three': { price: string | number; second: string | number; third: string | number };
  'south-africa-only': null;
  rights: null;
  'how-to-stop': null;
  offline: null;
  'loading-page': null;
  loading: null;
  'loading-list': null;
  'loading-button': null;
  'loading-more': null;
  'show-more': null;
  more: null;
  'list-end': { count: string | number };
  close: null;
  notifications: null;
  'try-again': null;
  'go-home': null;
  share: null;
  'share-item': { title: string | number };
  'link-copied': null;
  'copy-link': null;
  'remove-item': { title: string | number };
  JOIN: null;
  join: null;
  'join-now': null;
  'join-again': null;
  'join-site': { name: string | number };
  'join-to-like': { name: string | number };
  'join-to-watch': { name: string | number };
  'join-to-keep': { name: string | number };
  confirm: null;
  'confirm-to-like': null;
  'confirm-to-watch': null;
  'confirm-to-keep': null;
  'last-step': null;
  'not-now': null;
  'your-number': null;
  'number-example': null;
  'leave-empty': null;
  'enter-number': null;
  'enter-number-and-join': null;
  welcome: null;
  'tagline-videos': null;
  'tagline-vod': null;
  'tagline-memes': null;
  agreed: null;
  read: null;
  'join-failed': null;
  'choose-network': null;
  'use-sim-number': null;
  'sim-unknown': null;
  'sim-failed': null;
  'sim-held': null;
  'type-code': { code: string | number };
  'not-joined': null;
  redirecting: null;
  continue: null;
  'reply-sms': { word: string | number };
  'send-sms': { to: string | number; word: string | number };
  'your-subscription': null;
  'row-service': null;
  'row-number': null;
  'row-state': null;
  'row-price': null;
  'row-since': null;
  'row-total': null;
  'row-owed': null;
  'row-next': null;
  'limit-reached': { date: string | number };
  'free-until': { date: string | number };
  'row-helpline': null;
  'price-per-day': { price: string | number };
  'price-per-week': { price: string | number };
  'price-per-month': { price: string | number };
  none: null;
  'state-active': null;
  'state-pending': null;
  'state-suspended': null;
  'state-cancelled': null;
  'unsubscribe-now': null;
  'ends-at-once': null;
  'number-to-unsubscribe': null;
  unsubscribe: null;
  'network-asks': null;
  'leave-failed': null;
  'leave-offline': { number: string | number };
  'leave-unknown': null;
  left: { name: string | number };
  'left-note': null;
  'other-ways': null;
  'way-sms': { name: string | number };
  'way-dial': null;
  'way-stop': { number: string | number };
  'way-write': null;
  'data-heading': null;
  'data-month': null;
  'data-stop-at': null;
  'data-cap': { cap: string | number };
  'data-no-cap': null;
  'data-left': { amount: string | number };
  'data-reached': null;
  'because-liked': { name: string | number };
  'taste-heading': null;
  'taste-about': null;
  'taste-switch': null;
  'taste-forget': null;
  'taste-nothing': null;
  'save-film': null;
  'save-at-most': null;
  'save-row': { count: string | number; size: string | number };
  'save-free': { size: string | number };
  'save-any-line': null;
  save: null;
  'save-so-far': { percent: string | number; size: string | number };
  'save-waits': null;
  'save-pause': null;
  'save-resume': null;
  'save-done': { size: string | number };
  'save-full': null;
  'save-failed': null;
  'saved-films': null;
  'saved-expired': null;
  'saved-removed': null;
  'data-saved': null;
  'data-from-saved': null;
  liked: null;
  receipt: null;
  'receipt-about': null;
  'receipt-empty': null;
  'receipt-confirm': null;
  'receipt-join': null;
  charged: { network: string | number; price: string | number };
  'given-back': { network: string | number; price: string | number };
  'giving-back': { network: string | number; price: string | number };
  'why-charged': { date: string | number };
  'why-unknown': null;
  'words-of-network': null;
  'watched-here': { amount: string | number };
  'saved-here': { saved: string | number; watched: string | number };
  'not-wanted': null;
  'not-wanted-about': null;
  'not-wanted-sms': { number: string | number };
  'complaint-refunded': { price: string | number };
  'complaint-case': { helpline: string | number; number: string | number };
  'how-to-leave': null;
  'leave-by-sms': { name: string | number; number: string | number };
  'leave-by-page': { name: string | number };
  'went-wrong': null;
  'failed-title': null;
  'failed-heading': null;
  'failed-why': null;
  'load-again': null;
  'not-found-title': null;
  'not-found-heading': null;
  'not-found-why': null;
  gone: null;
  'load-dropped': null;
  'load-offline': null;
  'load-busy': null;
  'load-wrong': null;
  'load-ours': null;
  'failed-removal': null;
  video: null;
  videos: null;
  related: null;
  'nothing-related': null;
  'video-gone': null;
  'nothing-to-watch': null;
  'no-videos': null;
  'more-of': { name: string | number };
  waiting: null;
  unplayable: null;
  'tap-for-sound': null;
  sound: null;
  'start-over': null;
  'video-settings': null;
  captions: null;
  quality: null;
  'quality-auto': null;
  'quality-low': null;
  'quality-high': null;
  'sound-alone': { size: string | number };
  'not-active': null;
  'small-window': null;
  'cap-reached': { cap: string | number };
  'cap-why': null;
  'watch-on': null;
  'change-limit': null;
  'up-next': null;
  'in-seconds': { seconds: string | number };
  'play-next': null;
  'stay-here': null;
  'continue-watching': null;
  'time-left': { time: string | number };
  'remove-from-continue': { title: string | number };
  carousel: null;
  'play-row': { row: string | number };
  'pause-row': { row: string | number };
  'pause-rows': null;
  'play-rows': null;
  'previous-in': { row: string | number };
  'next-in': { row: string | number };
  watch: null;
  'watch-all': null;
  'watch-needs-scripts': null;
  'go-to-videos': null;
  'previous-video': null;
  'next-video': null;
  'the-end': null;
  'videos-end': { count: string | number };
  'from-the-beginning': null;
  search: null;
  'search-comedy': null;
  'search-football': null;
  'search-videos': null;
  'search-memes': null;
  'search-hint': { what: string | number };
  searching: null;
  'nothing-found': null;
  found: { count: string | number };
  'found-more': { count: string | number };
  'recent-searches': null;
  'most-liked': null;
  newest: null;
  comedian: null;
  comedians: null;
  'all-artists': null;
  'find-name': null;
  'first-letter': null;
  footballer: null;
  footballers: null;
  'come-back': null;
  'swipe-cards': null;
  'card-deck': null;
  swiped: { card: string | number; choice: string | number; next: string | number };
  'start-again': null;
  'like-card': null;
  'skip-card': null;
  'how-to': null;
  'how-to-title': null;
  'swipe-right': null;
  'swipe-left': null;
  'meme-welcome': null;
  'meme-start': null;
  'browse-category': null;
  CATEGORIES: null;
  UPLOAD: null;
  MEMES: null;
  'no-categories': null;
  'no-memes': null;
  'no-memes-here': null;
  'open-item': { title: string | number };
  'like-item': { count: string | number; title: string | number };
  'previous-meme': null;
  'next-meme': null;
  highlights: { name: string | number };
  like: null;
  watchlist: null;
  WATCHLIST: null;
  'watchlist-empty': null;
  'watchlist-empty-hint': null;
  'watchlist-all': null;
  'find-something': null;
  removed: { title: string | number };
  undo: null;
  'remove-from-watchlist': { title: string | number };
  category: null;
  'no-videos-in-category': null;
  views: null;
  'go-back': null;
};

/** What the terms consist of. */
export type TermsId =
  | 'title'
  | 'title-vod'
  | 'title-racing'
  | 'in-force'
  | 'translation'
  | 'show-english'
  | 'about'
  | 'about-agreement'
  | 'about-humour'
  | 'who'
  | 'who-age'
  | 'who-country'
  | 'who-account'
  | 'price'
  | 'price-day'
  | 'price-week'
  | 'price-month'
  | 'price-once'
  | 'price-once-longer'
  | 'price-paused'
  | 'price-data'
  | 'joining'
  | 'joining-confirm'
  | 'joining-sms'
  | 'joining-record'
  | 'leaving'
  | 'leaving-ways'
  | 'leaving-at-once'
  | 'leaving-at-once-longer'
  | 'leaving-again'
  | 'leaving-again-longer'
  | 'sharing'
  | 'sharing-owners'
  | 'sharing-not'
  | 'sharing-take-down'
  | 'content'
  | 'content-yours'
  | 'content-not'
  | 'betting'
  | 'betting-none'
  | 'betting-opinions'
  | 'betting-help'
  | 'cookies'
  | 'cookies-two'
  | 'cookies-storage'
  | 'cookies-saved'
  | 'cookies-deleted'
  | 'privacy'
  | 'privacy-popia'
  | 'privacy-kept'
  | 'privacy-shared'
  | 'privacy-rights'
  | 'liability'
  | 'liability-available'
  | 'liability-limit'
  | 'liability-indirect'
  | 'liability-rights'
  | 'changes'
  | 'changes-sms'
  | 'changes-law'
  | 'contact'
  | 'contact-ways'
  | 'contact-waspa';
