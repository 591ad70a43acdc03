import { expect, test, vi } from 'vitest';
import { attachStream } from './hls';
import type { Quality } from './quality';

type FakePlayer = { settings: { startLevel: number }; nextLevel: number; told: Map<string, () => void> };
const made = vi.hoisted(() => [] as FakePlayer[]);
vi.mock('hls.js/light', () => ({
  default: class {
    static isSupported = () => true;
    static Events = { MANIFEST_PARSED: 'parsed', ERROR: 'error' };
    levels = ['low', 'middle', 'high'];
    maxAutoLevel = 2;
    nextLevel = -1;
    told = new Map<string, () => void>();
    constructor(readonly settings: { startLevel: number }) {
      made.push(this);
    }
    on(event: string, act: () => void) {
      this.told.set(event, act);
    }
    loadSource() {}
    attachMedia() {}
  },
}));

test('a quality that is chosen while the stream is on its way counts', async () => {
  let chosen: Quality = 'low';
  const attached = attachStream(document.createElement('video'), '/media/film/main.m3u8', () => chosen);
  chosen = 'auto';
  await attached;
  expect(made[0]?.settings.startLevel).toBe(-1);
  chosen = 'high';
  made[0]?.told.get('parsed')?.();
  expect(made[0]?.nextLevel).toBe(2);
});
