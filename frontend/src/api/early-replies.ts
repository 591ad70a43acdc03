/** Replies that early.ts asked for before React was there. Each is handed out once; a later call asks again. */

const replies = new Map<string, Promise<Response>>();

export function askEarly(address: string): void {
  const reply = fetch(address, { credentials: 'same-origin', headers: { accept: 'application/json' } });
  // Whoever takes it sees the failure; without this line an untaken one would be reported as unhandled.
  reply.catch(() => undefined);
  replies.set(address, reply);
}

export function takeEarly(address: string): Promise<Response> | undefined {
  const reply = replies.get(address);
  replies.delete(address);
  return reply;
}
