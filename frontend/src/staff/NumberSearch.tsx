/** The one box of support: a number. `/` focuses it from anywhere. */
import { useCallback, useId, useRef } from 'react';
import { useNavigate } from 'react-router';
import { client, recordQuery } from './api';
import { numberForm, useChecked } from './forms';
import { useSlash } from './keyboard';
import { paths } from './paths';
import { useLookup } from './staff';
import { Button } from './ui/Button';
import { icons } from './ui/icons';
import { useAskFirst } from './ui/unsaved';
import { words } from './words';

export function NumberSearch() {
  const { setNumber } = useLookup();
  const navigate = useNavigate();
  const ask = useAskFirst();
  const id = useId();
  const form = useChecked(numberForm, { number: '' });
  const input = useRef<HTMLInputElement>(null);
  const { ref, ...field } = form.register('number');
  // Not `setFocus`, which waits for a moment: the first digits would go nowhere.
  useSlash(
    useCallback(() => {
      input.current?.focus();
      input.current?.select();
    }, []),
  );
  const fault = form.formState.errors.number?.message;
  return (
    <search className="search">
      <form
        noValidate
        onSubmit={form.handleSubmit(({ number }) => {
          // The box keeps no number that a passer-by could read.
          form.reset();
          ask(() => {
            // The same number again is looked up again.
            client.removeQueries(recordQuery(number));
            setNumber(number);
            void navigate(paths.support);
          });
        })}
      >
        {icons.search}
        <input
          type="tel"
          autoComplete="off"
          placeholder={words.support.placeholder}
          aria-label={words.support.search}
          aria-keyshortcuts="/"
          aria-invalid={fault !== undefined}
          aria-describedby={fault && id}
          {...field}
          ref={element => {
            ref(element);
            input.current = element;
          }}
          onKeyDown={event => {
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
        <kbd>/</kbd>
        <Button type="submit">{words.support.submit}</Button>
      </form>
      {fault && (
        <p className="fault search-fault" id={id} role="alert">
          {fault}
        </p>
      )}
    </search>
  );
}
