/** A choice that filters or switches what is shown, at once. */
export type Option<Value extends string = string> = [value: Value, text: string];

type Props<Value extends string> = {
  label: string;
  value: Value;
  options: readonly Option<Value>[];
  onChange: (value: Value) => void;
};

export function Choice<Value extends string>({ label, value, options, onChange }: Props<Value>) {
  return (
    <label className="inline">
      {label}
      <select value={value} onChange={({ target }) => onChange(target.value as Value)}>
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
