/** Every text of the import of files and of the edit of many records, in English. */
const number = new Intl.NumberFormat('en-GB');
const plural = (count: number, one: string, many: string): string =>
  `${number.format(count)} ${count === 1 ? one : many}`;
const records = (count: number): string => plural(count, 'record', 'records');

export const words = {
  list: {
    export: 'Export CSV',
    import: 'Import a file',
    select: 'Select',
    selectOne: (title: string) => `Select ${title}`,
    selectShown: 'Select all that are shown',
    selectHint: 'In a row, x selects it.',
    selected: (count: number) => `${plural(count, 'record is', 'records are')} selected`,
    edit: 'Edit all',
    clear: 'Select none',
  },

  bulk: {
    title: (count: number) => `Edit ${records(count)}`,
    lead: 'The difference is shown before anything changes.',
    field: 'Field',
    value: 'Value',
    always: 'In Johannesburg. Empty: at once.',
    never: 'In Johannesburg. Empty: never.',
    parent: 'The slug of the record to which all will belong.',
    held: 'Records that are taken down keep their state: put them back one by one.',
    needed: 'This is needed.',
    submit: 'Show the difference',
  },

  upload: {
    title: 'Import a file',
    lead: 'The file is compared with what is live. Nothing changes before a publisher applies it.',
    site: 'Site',
    file: 'File',
    fileHint:
      'CSV as a spreadsheet saves it, JSON Lines or JSON, at most 64 MiB. An exported list has the right columns.',
    prune: 'Remove what the file does not have',
    pruneHint:
      'Of the kinds of records that it has. Removed records are not visible any more; they are not lost.',
    submit: 'Show the difference',
    sending: 'The file is being read …',
    noFile: 'Choose a file.',
    problems: (count: number, file: string) =>
      `${file} has ${count >= 200 ? 'at least ' : ''}${plural(count, 'problem', 'problems')}. Mend the file and choose it again.`,
    line: 'Line',
    field: 'Field',
    problem: 'What is wrong',
    unreadable: 'The file could not be read. Choose it again.',
  },

  waiting: {
    title: 'Files that wait',
    file: 'File',
    site: 'Site',
    by: 'Uploaded by',
    at: 'Uploaded at',
  },

  difference: {
    lead: (site: string, count: number, by: string, at: string) =>
      `${site}, ${records(count)}, uploaded by ${by}, ${at}`,
    back: 'To the list',
    hash: 'SHA-256',
    counts: 'What the file changes',
    kind: 'Kind',
    added: 'Added',
    changed: 'Changed',
    unchanged: 'Unchanged',
    removed: 'Removed',
    prune: 'Records that the file does not have are removed.',
    same: 'No difference: everything is there already as the file has it.',
    faults: 'The file does not fit what is there. Mend it and import it again.',
    record: 'Record',
    line: 'Line',
    fields: 'Fields',
    of: { added: 'added', changed: 'changed', removed: 'removed' },
    heading: (kind: string, count: number, action: string) => `${kind}: ${number.format(count)} ${action}`,
    gone: 'Not visible any more',
    more: 'More',
    discard: 'Discard the file',
    discardTitle: 'Discard the file?',
    discardText: 'What is live stays as it is.',
    discarded: 'The file is discarded.',
    apply: 'Apply',
    applyTitle: 'Apply the file?',
    applyText: (count: number) =>
      `${plural(count, 'record changes', 'records change')} at once, all of them or none. The history of each has it.`,
    confirm: (count: number) =>
      `This removes ${records(count)}, more than a tenth of what there is. Type the number to confirm it.`,
    confirmLabel: (count: number) => `Type ${count}`,
    confirmFault: 'This is not the number.',
    applied: 'The file is applied.',
    fileChanged: 'The file was changed or moved after it was read. Import it again.',
    handOver: 'A publisher applies it. The file waits for a day under Drafts, and at this address:',
    address: 'Address of this file',
  },
};
