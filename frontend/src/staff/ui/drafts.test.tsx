/** Private drafts: what is typed is there again after every end of a session, on this machine and on others, and no text replaces another. */
import { cleanup, fireEvent, render, screen, waitFor as waitAtMost } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { privateDrafts } from '../../dev/private-drafts';
import { server } from '../../dev/server';
import { QueryClientProvider } from '../../shared/http/queries';
import { client } from '../api';
import { noteForm, useChecked } from '../forms';
import { StaffContext } from '../staff';
import { words } from '../words';
import { useFormDraft } from './drafts';
import { Form } from './Form';
import { TextArea } from './fields';
import { ReasonDialog } from './ReasonDialog';

/** Looks often: the 200 sessions wait for each of their calls. */
const waitFor = (look: () => void) => waitAtMost(look, { interval: 2 });

let isOpen: boolean;
/** Calls that were refused without a session. */
let refused: number;
let drafts: ReturnType<typeof privateDrafts>['drafts'];

beforeEach(() => {
  client.clear();
  isOpen = true;
  refused = 0;
  const kept = privateDrafts(() => {
    if (!isOpen) refused += 1;
    return isOpen;
  });
  drafts = kept.drafts;
  server.use(...kept.handlers);
});

function Note() {
  const form = useChecked(noteForm, { text: '', complaint: false });
  const draft = useFormDraft(form, 'note');
  return (
    <Form
      form={form}
      draft={draft}
      onSubmit={async () => undefined}
      actions={<button type="submit">Send</button>}
    >
      <TextArea label="Text" field={form.register('text')} />
    </Form>
  );
}
const Reason = () => (
  <ReasonDialog title="Why" text="" submit="Send" run={async () => undefined} onClose={() => undefined} />
);
const FORMS = [
  { form: <Note />, label: 'Text' },
  { form: <Reason />, label: words.common.reason },
];

async function open({ form, label }: (typeof FORMS)[number]): Promise<HTMLElement> {
  const staff = { id: 1, email: 'zola@example.test', name: 'Zola', roles: [] };
  render(
    <QueryClientProvider client={client}>
      <StaffContext value={staff as never}>{form}</StaffContext>
    </QueryClientProvider>,
  );
  await waitFor(() => expect(client.isFetching()).toBe(0));
  return screen.getByLabelText(label);
}

const keepNow = () => fireEvent(document, new Event('visibilitychange'));
const change = (field: HTMLElement, text: string) => fireEvent.change(field, { target: { value: text } });

test('200 sessions that end in the middle of forms lose no character', async () => {
  const text = 'She says she never joined: “R3 a day”, since 3 November 😀.';
  for (let session = 0; session < 200; session += 1) {
    const form = FORMS[session % FORMS.length] as (typeof FORMS)[number];
    const letters = [...text].slice(0, 1 + ((session * 7) % [...text].length)).join('');
    const field = await open(form);
    // A part is kept, the session ends, and the rest is typed; then the page is gone.
    change(field, letters);
    if (session % 3 > 0) {
      await waitFor(() => {
        keepNow();
        expect([...drafts.values()].map(draft => JSON.stringify(draft.text)).join()).toContain(
          JSON.stringify(JSON.stringify(letters)).slice(1, -1),
        );
      });
    }
    isOpen = false;
    const whole = session % 3 === 2 ? letters : `${letters} ${session}`;
    change(field, whole);
    const before = refused;
    cleanup();
    if (whole !== letters) await waitFor(() => expect(refused).toBe(before + 1));
    client.clear();
    // Every third time on another machine, which has what was kept.
    if (session % 3 === 2) sessionStorage.clear();
    isOpen = true;
    const again = await open(form);
    await waitFor(() => expect(again).toHaveValue(whole));
    fireEvent.click(await screen.findByText(words.drafts.throwAway));
    await waitFor(() => {
      keepNow();
      expect(drafts.size).toBe(0);
    });
    expect(again).toHaveValue('');
    expect(Object.values(sessionStorage).join()).toBe('');
    cleanup();
    client.clear();
  }
});

test('a form that was sent keeps nothing, and one that was closed keeps its text', async () => {
  const note = FORMS[0] as (typeof FORMS)[number];
  const user = userEvent.setup();
  await user.type(await open(note), 'Typed.');
  cleanup();
  await waitFor(() => expect(drafts.get('note')?.text).toContain('Typed.'));
  client.clear();
  const again = await open(note);
  await waitFor(() => expect(again).toHaveValue('Typed.'));
  expect(await screen.findByText(/^This is what you typed on/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(drafts.size).toBe(0));
});

test('what was typed in another window meanwhile is not replaced: the person chooses', async () => {
  const note = FORMS[0] as (typeof FORMS)[number];
  const user = userEvent.setup();
  const field = await open(note);
  await user.type(field, 'Here');
  await waitFor(() => {
    keepNow();
    expect(drafts.size).toBe(1);
  });
  drafts.set('note', { text: '{"text":"There"}', version: 9, at: '2026-11-03T05:00:00Z', editor: null });
  await user.type(field, '!');
  await user.click(await screen.findByRole('button', { name: words.drafts.takeOther }));
  expect(field).toHaveValue('There');
  expect(drafts.get('note')?.text).toBe('{"text":"There"}');
  await waitFor(() => {
    keepNow();
    expect(drafts.get('note')?.version).toBe(10);
  });
});
