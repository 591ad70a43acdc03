/** Reports how fast the page was for this visitor: as a `web-vital` event on the window, and in the debug log. */
import { type Metric, onCLS, onINP, onLCP } from 'web-vitals';

export function reportVitals(): void {
  const report = ({ name, value, rating }: Metric) => {
    console.debug('web-vital', name, Math.round(value * 1000) / 1000, rating);
    window.dispatchEvent(new CustomEvent('web-vital', { detail: { name, value, rating } }));
  };
  onLCP(report);
  onCLS(report);
  onINP(report);
}
