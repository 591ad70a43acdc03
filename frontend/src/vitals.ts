/** Reports how fast the page was for this visitor: to the gateway's counts, as a `web-vital` event on the window, and in the debug log. */
import { type Metric, onCLS, onINP, onLCP } from 'web-vitals';
import { brand } from './brand';
import { withDomain } from './host';

export function reportVitals(): void {
  const sent = new Set<string>();
  const report = ({ name, value, rating }: Metric) => {
    console.debug('web-vital', name, Math.round(value * 1000) / 1000, rating);
    window.dispatchEvent(new CustomEvent('web-vital', { detail: { name, value, rating } }));
    const { page } = brand();
    // A page that is looked at again reports again; the counts want each visit once.
    if (!page || sent.has(name)) return;
    sent.add(name);
    send({ page, name, value, rating });
  };
  onLCP(report);
  onCLS(report);
  onINP(report);
}

/** Sent with Save-Data as well: it is a few hundred bytes, and these visitors' pages are the slowest. */
function send(vital: { page: string } & Pick<Metric, 'name' | 'value' | 'rating'>): void {
  try {
    navigator.sendBeacon(
      withDomain('/api/vitals'),
      new Blob([JSON.stringify(vital)], { type: 'application/json' }),
    );
  } catch (error) {
    // Chrome before 81 sends no JSON this way.
    console.info('Vital not sent', vital.name, error);
  }
}
