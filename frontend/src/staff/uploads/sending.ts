/**
 * Files on their way to the server, by the tus protocol. They go on while other screens are shown. After a closed tab, or in another browser, the
 * same file goes on from what the server has: its name, size and time of change are compared with the server's list.
 */

import { useSyncExternalStore } from 'react';
import { DetailedError, Upload as TusUpload } from 'tus-js-client';
import type { Upload } from '../../shared/contract/staff';
import { ApiProblem } from '../../shared/http/problem';
import { client } from '../api';
import { addressOf } from '../client';
import { words } from '../words';
import { readUploadsAgain, uploadsQuery } from './api';
import { type Sample, speedOf } from './figures';

const texts = words.uploads;

const ENDPOINT = addressOf('POST /api/uploads');
/** A part is acknowledged once it is on the server's disk. */
const PART = 8 * 1024 * 1024;
/** After the last one, the person is asked. */
const RETRY_DELAYS = [0, 1000, 3000, 5000, 10_000, 20_000, 30_000];

export type Sending = {
  key: string;
  /** Null until the server has begun it. */
  id: number | null;
  name: string;
  service: string;
  size: number;
  sent: number;
  /** Bytes a second; 0 where it is not known. */
  speed: number;
  paused: boolean;
  /** Why it stands still; else empty. */
  fault: string;
};

type Running = { view: Sending; tus: TusUpload; samples: Sample[] };

const running = new Map<string, Running>();
const listeners = new Set<() => void>();
let views: readonly Sending[] = [];
let count = 0;

function show(): void {
  views = [...running.values()].map(({ view }) => view);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What is on its way from this tab. */
export const useSending = (): readonly Sending[] => useSyncExternalStore(subscribe, () => views);

function change(key: string, part: Partial<Sending>): void {
  const entry = running.get(key);
  if (!entry) return;
  entry.view = { ...entry.view, ...part };
  show();
}

const idOf = (address: string | null): number | null => {
  const id = Number(address?.split('/').at(-1));
  return Number.isInteger(id) && id > 0 ? id : null;
};

/** The text of a refusal. */
function faultOf(error: Error): string {
  const body = error instanceof DetailedError ? error.originalResponse?.getBody() : undefined;
  try {
    const { error_message: message } = JSON.parse(body ?? '') as { error_message?: string };
    return message || texts.interrupted;
  } catch {
    return texts.interrupted;
  }
}

/** Sends a picture, which goes neither on after a closed tab nor into the list; returns its id. `sent` gets the part that has arrived. */
export function sendPicture(file: File, service: string, sent: (part: number) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    const tus = new TusUpload(file, {
      endpoint: ENDPOINT,
      chunkSize: PART,
      retryDelays: RETRY_DELAYS,
      storeFingerprintForResuming: false,
      metadata: { filename: file.name, service, kind: 'picture', modified: String(file.lastModified) },
      onProgress: bytes => sent(bytes / Math.max(1, file.size)),
      onSuccess: () => resolve(idOf(tus.url) ?? 0),
      onError: error => reject(new ApiProblem(0, { error_message: faultOf(error) })),
    });
    tus.start();
  });
}

/** Whether a file is that of an upload, as far as names and sizes tell. */
export const isSame = (file: File, upload: Upload): boolean =>
  file.name === upload.name && file.size === upload.size;

/** Sends a file: one that the server has a part of goes on. */
export async function send(file: File, service: string, chosen?: Upload): Promise<void> {
  const unfinished = (upload: Upload) =>
    upload.mine &&
    upload.state === 'uploading' &&
    upload.service === service &&
    isSame(file, upload) &&
    upload.modified === String(file.lastModified);
  const known =
    chosen ?? (await client.fetchQuery({ ...uploadsQuery, staleTime: 0 })).uploads.find(unfinished);
  if (known && [...running.values()].some(({ view }) => view.id === known.id)) return;
  count += 1;
  const key = String(count);
  const tus = new TusUpload(file, {
    endpoint: ENDPOINT,
    ...(known && { uploadUrl: `${ENDPOINT}/${known.id}` }),
    chunkSize: PART,
    retryDelays: RETRY_DELAYS,
    storeFingerprintForResuming: false,
    metadata: { filename: file.name, service, modified: String(file.lastModified) },
    onUploadUrlAvailable: () => {
      change(key, { id: idOf(tus.url) });
      void readUploadsAgain();
    },
    onProgress: sent => {
      const entry = running.get(key);
      if (!entry) return;
      entry.samples.push({ at: Date.now(), sent });
      change(key, { sent, speed: speedOf(entry.samples), fault: '' });
    },
    onSuccess: () => {
      void readUploadsAgain().then(() => {
        running.delete(key);
        show();
      });
    },
    onError: error => change(key, { fault: faultOf(error), paused: true, speed: 0 }),
  });
  const view = {
    key,
    id: known?.id ?? null,
    name: file.name,
    service,
    size: file.size,
    sent: known?.offset ?? 0,
    speed: 0,
    paused: false,
    fault: '',
  };
  running.set(key, { view, tus, samples: [] });
  show();
  tus.start();
}

export async function pause(key: string): Promise<void> {
  change(key, { paused: true, speed: 0 });
  await running.get(key)?.tus.abort();
}

export function goOn(key: string): void {
  const entry = running.get(key);
  if (!entry) return;
  entry.samples = [];
  change(key, { paused: false, fault: '' });
  entry.tus.start();
}

/** Ends an upload here and at the server. */
export async function end(id: number | null, key?: string): Promise<void> {
  if (key !== undefined) {
    const entry = running.get(key);
    running.delete(key);
    show();
    await entry?.tus.abort();
  }
  if (id !== null) await TusUpload.terminate(`${ENDPOINT}/${id}`);
  await readUploadsAgain();
}

// A line that is back goes on by itself.
window.addEventListener('online', () => {
  for (const [key, { view }] of running) if (view.fault === texts.interrupted) goOn(key);
});
