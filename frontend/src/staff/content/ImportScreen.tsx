/** Choosing a file of records: it is uploaded and compared, and nothing changes. What is wrong with it is listed by line. */

import { useId, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { CatalogueView, ManifestProblem } from '../../shared/contract/staff';
import { messageOf } from '../../shared/http/problem';
import { useMutation, useQuery } from '../../shared/http/queries';
import { importPath, paths } from '../paths';
import { Button } from '../ui/Button';
import { type Column, DataTable } from '../ui/DataTable';
import { FormFault, SelectField } from '../ui/fields';
import { Screen } from '../ui/Screen';
import { Loaded } from '../ui/States';
import { useNavigateSaved, useUnsaved } from '../ui/unsaved';
import { words as common } from '../words';
import { kindsQuery } from './api';
import { uploadFile } from './imports';

const texts = common.files.upload;

type Site = { catalogue: string; service: string };

export function ImportScreen() {
  const [query] = useSearchParams();
  const kinds = useQuery(kindsQuery);
  const service = query.get('service') ?? '';
  return (
    <Screen
      title={texts.title}
      lead={texts.lead}
      actions={
        <Link className="button" to={`${paths.content}?${new URLSearchParams({ service })}`}>
          {common.files.difference.back}
        </Link>
      }
    >
      <Loaded query={kinds}>
        {catalogues => <UploadForm sites={sitesOf(catalogues)} first={service} />}
      </Loaded>
    </Screen>
  );
}

const sitesOf = (catalogues: CatalogueView[]): Site[] =>
  catalogues.flatMap(({ catalogue, content }) =>
    (content?.services ?? []).map(service => ({ catalogue, service })),
  );

/** The service reports no more. */
const MOST_PROBLEMS = 200;

type Row = ManifestProblem & { key: number };

const COLUMNS: Column<Row>[] = [
  { id: 'line', header: texts.line, cell: ({ line }) => (line === 0 ? '–' : line) },
  { id: 'field', header: texts.field, cell: ({ field }) => field ?? '–' },
  { id: 'problem', header: texts.problem, kind: 'wide', cell: ({ message }) => message },
];

function UploadForm({ sites, first }: { sites: Site[]; first: string }) {
  const id = useId();
  const leadOn = useNavigateSaved();
  const input = useRef<HTMLInputElement>(null);
  const [service, setService] = useState(first || (sites[0]?.service ?? ''));
  const [prune, setPrune] = useState(false);
  const [fault, setFault] = useState('');
  /** Whether a file is chosen and not sent yet. */
  const [isChosen, setChosen] = useState(false);
  useUnsaved(isChosen);
  const [found, setFound] = useState<{ file: string; problems: Row[] }>();
  const site = sites.find(each => each.service === service);
  const sending = useMutation({
    mutationFn: ({ file, of }: { file: File; of: Site }) => uploadFile(of, file, prune),
    onSuccess: (uploaded, { file, of }) => {
      if (uploaded.import !== null) leadOn(importPath(of.catalogue, uploaded.import));
      else {
        setChosen(false);
        setFound({
          file: file.name,
          problems: uploaded.problems.map((problem, key) => ({ ...problem, key })),
        });
      }
    },
    // A file that was changed since it was chosen cannot be read.
    onError: error =>
      setFault(messageOf(error, error instanceof TypeError ? texts.unreadable : common.common.failed)),
  });
  const submit = () => {
    const file = input.current?.files?.[0];
    setFound(undefined);
    setFault(file ? '' : texts.noFile);
    if (file && site) sending.mutate({ file, of: site });
  };
  return (
    <>
      <form
        className="panel stack"
        noValidate
        onSubmit={event => {
          event.preventDefault();
          submit();
        }}
      >
        <SelectField
          label={texts.site}
          value={service}
          onChange={({ target }) => setService(target.value)}
          options={sites.map(each => [each.service, each.service])}
        />
        <div className="field">
          <label htmlFor={`${id}-file`}>{texts.file}</label>
          <input
            id={`${id}-file`}
            ref={input}
            type="file"
            accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson"
            aria-describedby={`${id}-hint`}
            onChange={({ target }) => {
              setChosen(target.files?.length === 1);
              setFault('');
              setFound(undefined);
            }}
          />
          <p className="hint" id={`${id}-hint`}>
            {texts.fileHint}
          </p>
        </div>
        <label className="choice prune">
          <input type="checkbox" checked={prune} onChange={event => setPrune(event.target.checked)} />
          <span>
            <span className="strong">{texts.prune}</span>
            <span className="hint">{texts.pruneHint}</span>
          </span>
        </label>
        <FormFault>{fault}</FormFault>
        <div className="actions">
          <Button type="submit" tone="primary" disabled={sending.isPending}>
            {sending.isPending ? texts.sending : texts.submit}
          </Button>
        </div>
      </form>
      {found && (
        <section className="stack">
          <p className="notice bad" role="alert">
            {(found.problems.length < MOST_PROBLEMS ? texts.problems : texts.manyProblems)({
              file: found.file,
              count: found.problems.length,
            })}
          </p>
          <DataTable
            label={texts.problem}
            columns={COLUMNS}
            rows={found.problems}
            keyOf={({ key }) => String(key)}
          />
        </section>
      )}
    </>
  );
}
