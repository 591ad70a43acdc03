/** Reports web vitals: to the gateway's metrics, as a `web-vital` event on the window, and in the debug log. */
import './polyfills';
import { type Metric, onCLS, onINP, onLCP } from 'web-vitals';
import { brand } from './brand';
import { withDomain } from './host';

export function reportVitals(): void {
  const sent = new Set<string>();
  const report = ({ name, value, rating }: Metric) => {
    console.debug('web-vital', name, Math.round(value * 1000) / 1000, rating);
    window.dispatchEvent(new CustomEvent('web-vital', { detail: { name, value, rating } }));
    const { page } = brand();
    // A page from the back/forward cache reports again; each visit is counted once.
    if (!page || sent.has(name)) return;
    sent.add(name);
    send({ page, name, value, rating });
  };
  onLCP(report);
  onCLS(report);
  onINP(report);
}

/** Sent with Save-Data, too: it is a few hundred bytes, and those visitors have the slowest pages. */
function send(vital: { page: string } & Pick<Metric, 'name' | 'value' | 'rating'>): void {
  try {
    navigator.sendBeacon(
      withDomain('/api/vitals'),
      new Blob([JSON.stringify(vital)], { type: 'application/json' }),
    );
  } catch (error) {
    // Chrome before 81 does not send JSON beacons.
    console.info('Vital not sent', vital.name, error);
  }
}
