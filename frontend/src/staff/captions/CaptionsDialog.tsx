/** The captions of a film: a file is uploaded, and its lines are edited. Each saving is a new file, so that what is live stays as it is. */

import { useState } from 'react';
import type { Captions } from '../../shared/contract/staff';
import { isStatus, messageOf } from '../../shared/http/problem';
import { queryOptions, useMutation, useQuery } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { call } from '../client';
import { languageName } from '../content/words';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { FileDrop } from '../ui/FileDrop';
import { DialogActions } from '../ui/Form';
import { FormFault, SelectField } from '../ui/fields';
import { icons } from '../ui/icons';
import { Loading } from '../ui/States';
import { words } from '../words';
import { lineAfter, secondsOf, type TypedLine, typed, webVtt } from './lines';
import '../uploads/uploads.css';
import './captions.css';

const texts = words.captions;

type Props = {
  service: string;
  /** The key of the film's record. */
  slug: string;
  /** The path that the record has; else empty. */
  value: string;
  languages: string[];
  onChoose: (path: string) => void;
  onClose: () => void;
};

/** The language before the ending of a path, as `zu` of `mcfunny/late-taxi.zu.vtt`. */
const languageOf = (path: string): string => /\.([a-z]{2})\.vtt$/i.exec(path)?.[1]?.toLowerCase() ?? 'en';

const captionsQuery = (captions: string) =>
  queryOptions({
    queryKey: ['captions', captions],
    queryFn: ({ signal }) => call('GET /api/captions', { query: { captions }, signal }),
    enabled: captions !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });

export default function CaptionsDialog(props: Props) {
  const { value, onClose } = props;
  const present = useQuery(captionsQuery(value));
  const [uploaded, setUploaded] = useState<Captions>();
  const shown = uploaded ?? present.data;
  const isMissing = isStatus(present.error, 404, 422);
  return (
    <Dialog title={texts.title} wide onClose={onClose}>
      {shown || value === '' || isMissing ? (
        <Lines
          key={shown?.captions ?? ''}
          {...props}
          present={shown ?? { captions: '', lines: [] }}
          onUploaded={setUploaded}
        />
      ) : present.error ? (
        <FormFault>{messageOf(present.error, words.common.failed)}</FormFault>
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}

/** What is wrong with a line. */
function faultOf({ start, end, text }: TypedLine): string | undefined {
  const [from, to] = [secondsOf(start), secondsOf(end)];
  if (from === undefined || to === undefined) return texts.time;
  if (from >= to) return texts.order;
  return text.trim() === '' ? texts.noText : undefined;
}

function Lines({
  service,
  slug,
  value,
  languages,
  present,
  onUploaded,
  onChoose,
  onClose,
}: Props & { present: Captions; onUploaded: (captions: Captions) => void }) {
  const [lines, setLines] = useState(() => present.lines.map(typed));
  const [language, setLanguage] = useState(() => languageOf(present.captions || value));
  const [isChecked, setChecked] = useState(false);
  const publishing = useMutation({
    mutationFn: (file: Blob) =>
      call('POST /api/captions', { query: { service, slug, language }, body: file }),
  });
  const use = ({ captions }: Captions) => {
    void notify(texts.used, 'done');
    onChoose(captions);
    onClose();
  };
  const set = (at: number, changed: Partial<TypedLine>) =>
    setLines(lines.map((line, each) => (each === at ? { ...line, ...changed } : line)));
  return (
    <form
      className="stack"
      noValidate
      onSubmit={event => {
        event.preventDefault();
        setChecked(true);
        if (lines.length > 0 && !lines.some(faultOf))
          publishing.mutate(new Blob([webVtt(lines)]), { onSuccess: use });
      }}
    >
      <SelectField
        label={texts.language}
        hint={texts.languageHint}
        value={language}
        onChange={({ target }) => setLanguage(target.value)}
        options={languages.map(code => [code, languageName(code)])}
      />
      <FileDrop
        texts={texts}
        accept=".vtt,.srt,text/vtt"
        onFiles={([file]) => file && publishing.mutate(file, { onSuccess: onUploaded })}
      />
      <ol className="caption-lines">
        {lines.map((line, at) => {
          const fault = isChecked ? faultOf(line) : undefined;
          const number = at + 1;
          const input = (field: 'start' | 'end') => ({
            'aria-label': texts[field]({ number }),
            'aria-invalid': fault !== undefined,
            value: line[field],
            onChange: ({ target }: { target: { value: string } }) => set(at, { [field]: target.value }),
          });
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name of its own, and its controls hold no state.
            <li key={at}>
              <input {...input('start')} className="caption-time" />
              <input {...input('end')} className="caption-time" />
              <textarea
                aria-label={texts.text({ number })}
                aria-invalid={fault !== undefined}
                rows={Math.max(1, line.text.split('\n').length)}
                lang={language}
                value={line.text}
                onChange={({ target }) => set(at, { text: target.value })}
              />
              <button
                type="button"
                className="button quiet square"
                aria-label={texts.removeLine({ number })}
                onClick={() => setLines(lines.filter((_, each) => each !== at))}
              >
                {icons.close}
              </button>
              {fault && <p className="fault">{fault}</p>}
            </li>
          );
        })}
      </ol>
      <div>
        <Button onClick={() => setLines([...lines, lineAfter(lines.at(-1))])}>{texts.add}</Button>
      </div>
      <FormFault>
        {publishing.error
          ? messageOf(publishing.error, words.common.failed)
          : isChecked && (lines.length === 0 ? texts.empty : lines.some(faultOf) && texts.faults)}
      </FormFault>
      <DialogActions submit={texts.submit} pending={publishing.isPending} onClose={onClose} />
    </form>
  );
}
