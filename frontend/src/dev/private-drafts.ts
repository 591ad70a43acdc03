/** The private drafts of one person, as the back office keeps them. */
import { HttpResponse, http } from 'msw';

type Draft = {
  text: string;
  version: number;
  at: string | null;
  editor: null | { name: string; at: string };
};

/** Kept drafts by the form's name, and the handlers that keep them. `isOpen` is whether there is a session. */
export function privateDrafts(isOpen = () => true) {
  const drafts = new Map<string, Draft>();
  const none: Draft = { text: '', version: 0, at: null, editor: null };
  const of = (form: string | null) => drafts.get(form ?? '') ?? none;
  const refused = () => HttpResponse.json({ error_message: 'x' }, { status: 401 });
  const address = '/api/private-drafts';
  const formOf = (request: Request) => new URL(request.url).searchParams.get('form');
  const handlers = [
    http.get(address, ({ request }) => (isOpen() ? HttpResponse.json(of(formOf(request))) : refused())),
    http.put(address, async ({ request }) => {
      if (!isOpen()) return refused();
      const order = (await request.json()) as {
        form: string;
        text: string;
        version: number;
        take_over: boolean;
      };
      const { version, editor } = of(order.form);
      if (version !== order.version) return HttpResponse.json({ error_message: 'x' }, { status: 409 });
      const kept = { text: order.text, version: version + 1, at: '2026-11-03T04:00:00Z' };
      drafts.set(order.form, { ...kept, editor: order.take_over ? null : editor });
      return HttpResponse.json({ version: kept.version, editor: order.take_over ? null : editor });
    }),
    http.delete(address, ({ request }) => {
      if (!isOpen()) return refused();
      const form = formOf(request);
      const version = new URL(request.url).searchParams.get('version');
      if (of(form).version === Number(version)) drafts.delete(form ?? '');
      return new HttpResponse(null, { status: 204 });
    }),
  ];
  return { drafts, handlers };
}
