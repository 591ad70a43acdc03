/** One record: its fields as a form, its draft and what that changes, taking it down, and its history. */
import { lazy, type ReactNode, Suspense, useDeferredValue, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { isStatus } from '../../api/problem';
import { useMutation, useQuery } from '../../api/query-client';
import { notify } from '../../ui/notify';
import { showRefusal, useChecked } from '../forms';
import { listPath, recordPath } from '../paths';
import { has } from '../roles';
import { useStaff } from '../staff';
import { FormFault, SelectField, TextArea, TextField } from '../ui/fields';
import { Screen } from '../ui/Screen';
import { Empty, Failure, Loading } from '../ui/States';
import type { Film } from '../uploads/types';
import { choicesQuery, kindsQuery, previewRecord, readAgain, recordQuery, saveDraft } from './api';
import { VisibilityBadges } from './ContentScreen';
import { DraftPanel } from './DraftPanel';
import { formFields, formOf, inputOf, recordOf, slugOf, valuesOf } from './fields';
import { History } from './History';
import { PreviewButton } from './Preview';
import { StateActions } from './StateActions';
import { Translations } from './Translations';
import type { CatalogueRecord, Draft, FieldKind, Fields, Kind, Place } from './types';
import { words } from './words';

const texts = words.record;

/** With the client of the tus protocol, which most visits do not need. */
const FilmUpload = lazy(() => import('../uploads/FilmUpload'));
/** With that client and the crop. */
const PictureDialog = lazy(() => import('../pictures/PictureDialog'));

/** The record that the address names; its kind comes from the service. */
function usePlace() {
  const { catalogue = '', kind: name = '', slug = '' } = useParams();
  const [query] = useSearchParams();
  const place: Place = { catalogue, kind: name, service: query.get('service') ?? '' };
  const kinds = useQuery(kindsQuery);
  const content = kinds.data?.find(each => each.catalogue === catalogue)?.content;
  return { place, slug, kinds, kind: content?.kinds.find(({ kind }) => kind === name) };
}

export function NewRecordScreen() {
  const { place, kinds, kind } = usePlace();
  return (
    <Screen
      title={texts.newTitle({ kind: words.oneOf(place.kind) })}
      lead={place.service}
      actions={<Back place={place} />}
    >
      {kind ? (
        <section className="panel">
          <RecordForm kind={kind} place={place} record={{}} draft={null} live={null} />
        </section>
      ) : (
        <Waiting query={kinds} />
      )}
    </Screen>
  );
}

export function RecordScreen() {
  const { place, slug, kinds, kind } = usePlace();
  const record = useQuery(recordQuery(place, slug));
  const publisher = has(useStaff(), 'publisher');
  if (!kind || !record.data)
    return (
      <Screen title={slug} actions={<Back place={place} />}>
        {kind && isStatus(record.error, 404) ? (
          <Empty title={words.list.filtered} />
        ) : (
          <Waiting query={kind ? record : kinds} />
        )}
      </Screen>
    );
  const { live, draft, events, is_complete: isComplete, kept_months: months } = record.data;
  const shown = draft?.record ?? live?.record ?? {};
  return (
    <Screen
      title={String(shown[kind.title] ?? slug)}
      lead={
        <span className="badges">
          {place.service}
          {live ? <VisibilityBadges record={live} /> : <span className="badge">{texts.unpublished}</span>}
        </span>
      }
      actions={
        <>
          <Back place={place} />
          <PreviewButton make={() => previewRecord(place, slug)} />
          {publisher && live && <StateActions place={place} live={live} />}
        </>
      }
    >
      {draft && <DraftPanel kind={kind} draft={draft} live={live} />}
      <section className="panel">
        <h2>{texts.form}</h2>
        <RecordForm
          // A version that is saved or thrown away is another form.
          key={`${draft?.id} ${draft?.version} ${JSON.stringify(draft ? null : live)}`}
          kind={kind}
          place={place}
          record={shown}
          draft={draft}
          live={live}
        />
      </section>
      <History
        kind={kind}
        place={place}
        slug={slug}
        events={events}
        live={live}
        canUndo={!draft}
        cutMonths={isComplete ? 0 : months}
      />
    </Screen>
  );
}

function Back({ place }: { place: Place }) {
  return (
    <Link className="button" to={listPath(place)}>
      {texts.back}
    </Link>
  );
}

function Waiting({ query }: { query: { error: unknown; refetch: () => unknown } }): ReactNode {
  return query.error ? <Failure error={query.error} retry={() => void query.refetch()} /> : <Loading />;
}

const FILM_FIELDS = ['media', 'image', 'duration_s', 'bytes'] as const;

type FormProps = {
  kind: Kind;
  place: Place;
  record: Fields;
  draft: Draft | null;
  live: CatalogueRecord | null;
};

function RecordForm({ kind, place, record, draft, live }: FormProps) {
  const isNew = !draft && !live;
  const navigate = useNavigate();
  const form = useChecked(formOf(kind), valuesOf(kind, record));
  const saving = useMutation({
    mutationFn: (values: Record<string, string>) =>
      saveDraft(place, { record: recordOf(kind, values), version: draft?.version ?? null, new: isNew }),
    onSuccess: saved => {
      void notify(texts.saved, 'done');
      void readAgain();
      if (isNew) void navigate(recordPath(place, saved.slug));
    },
    onError: error => showRefusal(form, error, inputOf),
  });
  const { errors } = form.formState;
  const [uploading, setUploading] = useState(false);
  /** The field whose picture is chosen. */
  const [picture, setPicture] = useState<string>();
  const films = new Set(FILM_FIELDS.filter(name => kind.fields.some(field => field.name === name)));
  const title = form.register(kind.title);
  return (
    <>
      <form className="stack" noValidate onSubmit={form.handleSubmit(values => saving.mutate(values))}>
        <div className="record-fields">
          {formFields(kind).map(field => {
            const { name } = field;
            if (field.translation) return null;
            const common = {
              label: words.fieldName(name),
              fault: errors[name]?.message,
              field: name === kind.title ? titleField() : form.register(name),
            };
            if (name === 'slug')
              return (
                <TextField
                  key={name}
                  {...common}
                  hint={isNew ? texts.slugHint : texts.slugFixed}
                  readOnly={!isNew}
                  autoComplete="off"
                />
              );
            if (field.refers_to)
              return (
                <ReferenceField
                  key={name}
                  {...common}
                  place={{ ...place, kind: field.refers_to }}
                  value={form.watch(name) ?? ''}
                />
              );
            if (field.form === 'Image')
              return (
                <div key={name} className="picture-field">
                  <TextField {...common} hint={texts.imageHint} autoComplete="off" />
                  <button type="button" className="button" onClick={() => setPicture(name)}>
                    {texts.choosePicture}
                  </button>
                </div>
              );
            return <PlainField key={name} {...common} kind={field} isHeld={live?.held ?? false} />;
          })}
        </div>
        {films.has('media') && (
          <div>
            <button
              type="button"
              className="button"
              aria-expanded={uploading}
              onClick={() => setUploading(!uploading)}
            >
              {texts.uploadFilm}
            </button>
          </div>
        )}
        {uploading && (
          <Suspense fallback={<Loading />}>
            <FilmUpload service={place.service} media={form.watch('media') ?? ''} use={takeFilm} />
          </Suspense>
        )}
        <Translations
          kind={kind}
          textOf={input => form.watch(input) ?? ''}
          faultOf={input => errors[input]?.message}
          register={input => form.register(input)}
        />
        <FormFault>{errors.root?.message}</FormFault>
        <div className="actions">
          <button type="submit" className="button primary" disabled={saving.isPending}>
            {texts.save}
          </button>
        </div>
      </form>
      {picture !== undefined && (
        <Suspense fallback={null}>
          <PictureDialog
            kind={kind.kind}
            service={place.service}
            value={form.getValues(picture) ?? ''}
            use={address => form.setValue(picture, address, { shouldDirty: true, shouldValidate: true })}
            onClose={() => setPicture(undefined)}
          />
        </Suspense>
      )}
    </>
  );

  /** What is known of an uploaded film becomes the fields that the kind has. */
  function takeFilm(film: Film) {
    for (const name of films)
      form.setValue(name, String(film[name]), { shouldDirty: true, shouldValidate: true });
    void notify(texts.filmUsed, 'done');
  }

  /** The title of a new record proposes its slug. */
  function titleField() {
    if (!isNew) return title;
    return {
      ...title,
      onBlur: (event: { target: { value: string } }) => {
        if (!form.getValues('slug')) form.setValue('slug', slugOf(event.target.value));
        return title.onBlur(event);
      },
    };
  }
}

type InputProps = Parameters<typeof TextField>[0];

const HINTS: Record<string, string> = {
  Media: texts.mediaHint,
  Captions: texts.captionsHint,
};
const TIME_HINTS: Record<string, string> = { publish_at: texts.alwaysHint, expires_at: texts.neverHint };

function PlainField({ kind, isHeld, ...input }: InputProps & { kind: FieldKind; isHeld: boolean }) {
  const { name, form } = kind;
  if (form === 'State')
    return (
      <SelectField
        {...input}
        {...(isHeld && { hint: texts.heldHint })}
        options={Object.entries(texts.stateOptions)}
      />
    );
  if (form === 'Words') return <TextArea {...input} />;
  if (form === 'DateTime')
    return <TextField {...input} type="datetime-local" step={1} hint={TIME_HINTS[name] ?? texts.timeHint} />;
  if (form === 'Count') return <TextField {...input} inputMode="numeric" autoComplete="off" />;
  const hint = HINTS[form];
  return <TextField {...input} {...(hint !== undefined && { hint })} autoComplete="off" />;
}

/** The slug of another record, chosen among those that the typed words find. */
function ReferenceField({ place, value, ...input }: InputProps & { place: Place; value: string }) {
  const { data = [] } = useQuery(choicesQuery(place, useDeferredValue(value.replaceAll('-', ' '))));
  const list = `choices-${place.kind}`;
  return (
    <>
      <TextField {...input} hint={texts.parentHint} list={list} autoComplete="off" />
      <datalist id={list}>
        {data.map(({ slug, title }) => (
          <option key={slug} value={slug}>
            {title}
          </option>
        ))}
      </datalist>
    </>
  );
}
