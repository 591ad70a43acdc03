/** A record's draft and its form: what the draft changes, and the fields that its kind describes. */

import { lazy, Suspense, useState } from 'react';
import type {
  CatalogueField,
  CatalogueKind,
  CatalogueRecord,
  Draft,
  Film,
} from '../../shared/contract/staff';
import { isStatus } from '../../shared/http/problem';
import { useMutation } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { client } from '../api';
import { showRefusal } from '../forms';
import { recordPath } from '../paths';
import { Button } from '../ui/Button';
import { Form } from '../ui/Form';
import { type FieldProps, SelectField, TextArea, TextField } from '../ui/fields';
import { Loading } from '../ui/States';
import { useNavigateSaved } from '../ui/unsaved';
import { readAgain, recordQuery, saveDraft } from './api';
import { FILM_FIELDS } from './blank';
import { Conflict } from './Conflict';
import { DraftPanel } from './DraftPanel';
import { formFields, inputOf, recordOf, slugOf } from './fields';
import { RecordChoices } from './RecordChoices';
import { RecordMedia } from './RecordMedia';
import { useRecordForm } from './record-form';
import { Translations } from './Translations';
import type { Fields, Place } from './types';
import { words } from './words';

const texts = words.record;

/** With the client of the tus protocol, which most visits do not need. */
const FilmUpload = lazy(() => import('../uploads/FilmUpload'));
const CaptionsDialog = lazy(() => import('../captions/CaptionsDialog'));
/** With that client and the crop. */
const PictureDialog = lazy(() => import('../pictures/PictureDialog'));

type Props = {
  kind: CatalogueKind;
  place: Place;
  /** Empty for a new record. */
  slug: string;
  draft: Draft | null;
  live: CatalogueRecord | null;
  /** What a new record begins with. */
  blank?: Fields;
};

export function RecordForm({ kind, place, slug, draft, live, blank }: Props) {
  const isNew = !draft && !live;
  const leadOn = useNavigateSaved();
  const { form, kept, version, moves, goOn, onSaved } = useRecordForm(kind, place, slug, {
    draft,
    live,
    blank,
  });
  const saving = useMutation({
    mutationFn: (values: Record<string, string>) =>
      saveDraft(place, { record: recordOf(kind, values), version, new: isNew }),
    onSuccess: (saved, values) => {
      void notify(texts.saved, 'done');
      if (isNew) leadOn(recordPath(place, saved.slug));
      else {
        client.setQueryData(recordQuery(place, slug).queryKey, read => read && { ...read, draft: saved });
        onSaved(saved, values);
      }
      void readAgain();
    },
    onError: error => {
      showRefusal(form, error, inputOf);
      // Another person was first: what is there now is shown.
      if (isStatus(error, 409)) void readAgain();
    },
  });
  const save = form.handleSubmit(values => saving.mutateAsync(values));
  const { errors, isDirty } = form.formState;
  const [uploading, setUploading] = useState(false);
  /** The field whose picture is chosen. */
  const [picture, setPicture] = useState<string>();
  /** The field whose captions are edited. */
  const [captions, setCaptions] = useState<string>();
  const films = new Set(FILM_FIELDS.filter(name => kind.fields.some(field => field.name === name)));
  const title = form.register(kind.title);
  return (
    <>
      {draft && (
        <DraftPanel
          kind={kind}
          draft={draft}
          live={live}
          isUnsaved={isDirty}
          // What it is refused for stands beside the fields.
          save={() => save().catch(() => undefined)}
        />
      )}
      <section className="panel stack">
        {slug !== '' && <h2>{texts.form}</h2>}
        {moves.length > 0 && <Conflict moves={moves} goOn={goOn} />}
        <RecordMedia kind={kind} record={form.watch()} />
        <Form
          form={form}
          draft={kept}
          onSubmit={saving.mutateAsync}
          actions={
            <div className="actions">
              <Button
                type="submit"
                tone="primary"
                disabled={saving.isPending || moves.length > 0 || kept.editor !== null}
              >
                {texts.save}
              </Button>
            </div>
          }
        >
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
                    <Button onClick={() => setPicture(name)}>{texts.choosePicture}</Button>
                  </div>
                );
              if (field.form === 'Captions')
                return (
                  <div key={name} className="picture-field">
                    <TextField {...common} hint={texts.captionsHint} autoComplete="off" />
                    <Button onClick={() => setCaptions(name)}>{texts.editCaptions}</Button>
                  </div>
                );
              return <PlainField key={name} {...common} kind={field} isHeld={live?.held ?? false} />;
            })}
          </div>
          {films.has('media') && (
            <div>
              <Button aria-expanded={uploading} onClick={() => setUploading(!uploading)}>
                {texts.uploadFilm}
              </Button>
            </div>
          )}
          {uploading && (
            <Suspense fallback={<Loading />}>
              <FilmUpload service={place.service} media={form.watch('media') ?? ''} onChoose={takeFilm} />
            </Suspense>
          )}
          <Translations
            kind={kind}
            textOf={input => form.watch(input) ?? ''}
            faultOf={input => errors[input]?.message}
            register={input => form.register(input)}
          />
        </Form>
      </section>
      {captions !== undefined && (
        <Suspense fallback={null}>
          <CaptionsDialog
            service={place.service}
            slug={form.getValues('slug') || slugOf(form.getValues(kind.title) ?? '')}
            value={form.getValues(captions) ?? ''}
            languages={languagesOf(kind)}
            onChoose={path => form.setValue(captions, path, { shouldDirty: true, shouldValidate: true })}
            onClose={() => setCaptions(undefined)}
          />
        </Suspense>
      )}
      {picture !== undefined && (
        <Suspense fallback={null}>
          <PictureDialog
            kind={kind.kind}
            service={place.service}
            value={form.getValues(picture) ?? ''}
            onChoose={address => form.setValue(picture, address, { shouldDirty: true, shouldValidate: true })}
            onClose={() => setPicture(undefined)}
          />
        </Suspense>
      )}
    </>
  );

  /** What is known of an uploaded film becomes the fields that the kind has. */
  function takeFilm(film: Film) {
    for (const name of films) {
      const value = film[name];
      // A film without a text track leaves the captions as they are.
      if (value !== null) form.setValue(name, String(value), { shouldDirty: true, shouldValidate: true });
    }
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

/** The languages of the sites, as the kind's translations name them. */
const languagesOf = ({ fields }: CatalogueKind): string[] => [
  ...new Set(['en', ...fields.flatMap(({ translation }) => translation?.language ?? [])]),
];

const HINTS: Record<string, string> = {
  Media: texts.mediaHint,
};
const TIME_HINTS: Record<string, string> = { publish_at: texts.alwaysHint, expires_at: texts.neverHint };

function PlainField({ kind, isHeld, ...input }: FieldProps & { kind: CatalogueField; isHeld: boolean }) {
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
function ReferenceField({ place, value, ...input }: FieldProps & { place: Place; value: string }) {
  const list = `choices-${place.kind}`;
  return (
    <>
      <TextField {...input} hint={texts.parentHint} list={list} autoComplete="off" />
      <RecordChoices id={list} place={place} q={value} />
    </>
  );
}
