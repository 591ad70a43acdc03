/** The screens of editors and publishers, which are one file. */
export { ContentScreen } from './ContentScreen';
export { DraftsScreen } from './DraftsScreen';
export { ImportedFileScreen } from './ImportedFileScreen';
export { ImportScreen } from './ImportScreen';
export { NewRecordScreen, RecordScreen } from './RecordScreen';
