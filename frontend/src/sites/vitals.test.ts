import { beforeEach, expect, test, vi } from 'vitest';
import { comedyBrand, serveBrand } from '../dev/brands';
import { reportVitals } from './vitals';

type Report = (metric: { name: string; value: number; rating: string; id: string }) => void;
const reporters = vi.hoisted(() => new Map<string, Report>());
vi.mock('web-vitals', () => ({
  onLCP: (report: Report) => reporters.set('LCP', report),
  onCLS: (report: Report) => reporters.set('CLS', report),
  onINP: (report: Report) => reporters.set('INP', report),
}));

const measured = (name: string, value: number) =>
  reporters.get(name)?.({ name, value, rating: 'good', id: 'v5-1' });
const beacon = vi.fn<(address: string, body: Blob) => boolean>();
const sent = () =>
  Promise.all(
    beacon.mock.calls.map(async ([address, body]) => [address, body.type, JSON.parse(await body.text())]),
  );

beforeEach(() => {
  beacon.mockReset().mockReturnValue(true);
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { sendBeacon: beacon }));
  vi.spyOn(console, 'debug').mockImplementation(() => undefined);
  serveBrand({ ...comedyBrand, page: 'comedy-video' });
});

test('each metric is sent once, with the name of the page and no address', async () => {
  reportVitals();
  measured('LCP', 1234.5);
  measured('CLS', 0.0123);
  measured('CLS', 0.2);
  measured('INP', 40);
  const json = ['/api/vitals', 'application/json'];
  expect(await sent()).toEqual([
    [...json, { page: 'comedy-video', name: 'LCP', value: 1234.5, rating: 'good' }],
    [...json, { page: 'comedy-video', name: 'CLS', value: 0.0123, rating: 'good' }],
    [...json, { page: 'comedy-video', name: 'INP', value: 40, rating: 'good' }],
  ]);
});

test('a page without a name sends nothing, but fires the window event', () => {
  serveBrand(comedyBrand);
  const heard = vi.fn();
  window.addEventListener('web-vital', heard, { once: true });
  reportVitals();
  measured('LCP', 900);
  expect(beacon).not.toHaveBeenCalled();
  expect(heard.mock.calls[0]?.[0].detail).toEqual({ name: 'LCP', value: 900, rating: 'good' });
});

test('an error of sendBeacon is ignored', () => {
  beacon.mockImplementation(() => {
    throw new DOMException('JSON is no simple type', 'SecurityError');
  });
  reportVitals();
  expect(() => measured('LCP', 900)).not.toThrow();
});
