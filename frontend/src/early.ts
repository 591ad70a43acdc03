/**
 * Runs before React has arrived: paints the brand's colours and starts what the page will ask for anyway,
 * its own script and its first replies. On a slow network this saves a round trip of each.
 */
import { askEarly } from './api/early-replies';
import { applyTheme, type BrandKind, brand, iconOf } from './brand';
import { withDomain } from './host';
import { apiService, serviceOf } from './service-name';

declare const __webpack_get_script_filename__: (chunk: string) => string;
declare const __webpack_public_path__: string;
/** The labels that had an entry in brands.toml when this was built. */
declare const INSTALLABLE: string[];

type Start = { chunk: string; replies: string[] };

function homeOf(kind: BrandKind): Start {
  const service = encodeURIComponent(apiService(serviceOf(location.search)));
  switch (kind) {
    case 'comedy':
      return { chunk: 'home-comedy', replies: [`/api/madfunny/fetchArtist?service=${service}`] };
    case 'diski':
      return { chunk: 'home-diski', replies: [`/api/diski/fetchArtist?service=${service}`] };
    case 'meme':
      return { chunk: 'home-meme', replies: ['/api/meme/random', '/api/meme/getMemeCategories'] };
    case 'tt':
      return { chunk: 'home-tt', replies: [`/api/tt/getcatvideos/${service}`, `/api/tt/banners/${service}`] };
  }
}

/** What an address needs first; addresses not listed simply start later. */
function startOf(pathname: string): Start | undefined {
  const [first = '', id = ''] = pathname.split('/').slice(1);
  const { kind, home } = brand();
  if (pathname === '/' || pathname === home) return homeOf(kind);
  switch (first) {
    case 'login':
    case 'diskilogin':
    case 'memelogin':
    case 'ttlogin':
    case 'racedaylogin':
    case 'DoiRedirect':
      return { chunk: 'join', replies: [] };
    case 'allvideos':
      return { chunk: 'artist', replies: [`/api/madfunny/fetchVideos/${id}`] };
    case 'artistvideos':
      return { chunk: 'artist', replies: [`/api/diski/fetchVideos/${id}`] };
    case 'video':
      return { chunk: 'artist', replies: [`/api/madfunny/fetchsingle/${id}`] };
    case 'diskisingle':
      return { chunk: 'artist', replies: [`/api/diski/fetchsingle/${id}`] };
    case 'ttsingle':
      return { chunk: 'tt-video', replies: [`/api/tt/ttsinglevideo/${id}`] };
    default:
      return undefined;
  }
}

function link(rel: string, href: string, as = ''): void {
  const element = document.createElement('link');
  element.rel = rel;
  element.as = as;
  element.href = href;
  document.head.append(element);
}

/** Makes the site installable under the brand's own name and icon; both are written by the build from brands.toml. */
function dressForInstalling(): void {
  const { label } = brand();
  // On the demo host one address shows every brand, so none can be installed there.
  if (withDomain('/') !== '/' || !INSTALLABLE.includes(label)) return;
  link('manifest', `/manifests/${label}.webmanifest`);
  link('apple-touch-icon', iconOf(brand()));
}

applyTheme();
dressForInstalling();
const start = startOf(location.pathname);
if (start) {
  link('preload', __webpack_public_path__ + __webpack_get_script_filename__(start.chunk), 'script');
  for (const reply of start.replies) askEarly(withDomain(reply));
}
