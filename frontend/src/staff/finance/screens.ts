/** The screens of finance, which are one file. */
export { BooksScreen } from './BooksScreen';
export { DifferencesScreen } from './DifferencesScreen';
export { TermsScreen } from './TermsScreen';
