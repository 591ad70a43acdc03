/** Imports large catalogues through the services' import calls, as the editors' tool does, and deletes them afterwards. */
import { expect } from '@playwright/test';

const port = Number(process.env.E2E_PORT ?? '8080');
/** The services' ports follow the gateway's. */
const PORTS = { comedy: 1, diski: 2, meme: 3, tt: 4 };

type Step = Record<string, unknown>;

async function tell(service: keyof typeof PORTS, path: string, body: Step): Promise<Step> {
  const reply = await fetch(`http://127.0.0.1:${port + PORTS[service]}/internal/imports${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer dev-admin', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(reply.status, `${service} ${path}`).toBe(200);
  return reply.json();
}

/** Records by their lists, as the services take them: `{ artists: [...], videos: [...] }`. */
export async function importRecords(
  service: keyof typeof PORTS,
  name: string,
  lists: Record<string, Step[]>,
): Promise<void> {
  const { import: id } = await tell(service, '', { service: name, digest: `e2e-${Date.now()}` });
  const BATCH = 500;
  let records = 0;
  for (const [list, all] of Object.entries(lists))
    for (let from = 0; from < all.length; from += BATCH) {
      await tell(service, `/${id}/records`, { [list]: all.slice(from, from + BATCH) });
      records += Math.min(BATCH, all.length - from);
    }
  await tell(service, `/${id}/apply`, { records });
}
