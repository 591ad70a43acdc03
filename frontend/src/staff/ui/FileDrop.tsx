/** Where files are chosen, or dropped. */
import { type DragEvent, useState } from 'react';

type Props = {
  texts: { choose: string; chooseHint: string };
  accept: string;
  multiple?: boolean;
  onFiles: (files: File[]) => void;
};

export function FileDrop({ texts, onFiles, ...input }: Props) {
  const [over, setOver] = useState(false);
  const drag = (event: DragEvent, inside: boolean) => {
    event.preventDefault();
    setOver(inside);
  };
  return (
    <label
      className="drop"
      data-over={over || undefined}
      onDragOver={event => drag(event, true)}
      onDragLeave={event => drag(event, false)}
      onDrop={event => {
        drag(event, false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      <input
        {...input}
        type="file"
        className="sr"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <span className="strong">{texts.choose}</span>
      <span className="hint">{texts.chooseHint}</span>
    </label>
  );
}
