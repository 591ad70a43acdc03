import { test } from '@playwright/test';
import { importLargeCatalogues } from './large-catalogues';

test('the large catalogues are deleted', () => importLargeCatalogues('deleted'));
