/** Fetches a file, and goes on at the byte where the connection broke. */
import { ApiProblem } from '../api/problem';

/** What has arrived of the file that was fetched last. */
let begun: { address: string; etag: string; chunks: Uint8Array[]; bytes: number } | undefined;

/** `onBytes` is called with the size of each piece that arrives. Throws an `ApiProblem` for a status that is no success. */
export async function download(
  address: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const headers: Record<string, string> =
    begun?.address === address && begun.etag
      ? { range: `bytes=${begun.bytes}-`, 'if-range': begun.etag }
      : {};
  const response = await fetch(address, { headers, signal, credentials: 'same-origin' });
  if (!response.ok) {
    begun = undefined;
    throw new ApiProblem(response.status, {});
  }
  if (response.status !== 206 || begun?.address !== address)
    begun = { address, etag: response.headers.get('etag') ?? '', chunks: [], bytes: 0 };
  const file = begun;
  const reader = response.body?.getReader();
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    file.chunks.push(piece.value);
    file.bytes += piece.value.length;
    onBytes(piece.value.length);
  }
  begun = undefined;
  const whole = new Uint8Array(file.bytes);
  let at = 0;
  for (const chunk of file.chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
