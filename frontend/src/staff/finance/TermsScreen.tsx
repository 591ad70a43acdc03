/** Contract terms and the rate of VAT, each with the day from which it holds. */

import { useState } from 'react';
import type { Brand, ContractTerm, VatRate } from '../../shared/contract/staff';
import { useMutation, useQuery } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { day, isoDay } from '../format';
import { showRefusal, useChecked } from '../forms';
import { Button } from '../ui/Button';
import { type Column, DataTable } from '../ui/DataTable';
import { Dialog } from '../ui/Dialog';
import { useFormDraft } from '../ui/drafts';
import { DialogActions, Form } from '../ui/Form';
import { SelectField, TextField } from '../ui/fields';
import { Screen } from '../ui/Screen';
import { Empty, Loaded } from '../ui/States';
import { words } from '../words';
import { addTerm, addVatRate, monthsQuery, readAgain, termsQuery } from './api';
import { inForce, percent } from './figures';
import { termForm, vatForm } from './forms';

const texts = words.finance.terms;

const today = (): string => isoDay(new Date().toISOString());

export function TermsScreen() {
  const terms = useQuery(termsQuery);
  const { data: months } = useQuery(monthsQuery);
  const brands = months?.brands ?? [];
  const [open, setOpen] = useState<'term' | 'vat'>();
  return (
    <Screen
      title={texts.title}
      lead={texts.lead}
      actions={
        <Button tone="primary" onClick={() => setOpen('term')}>
          {texts.add}
        </Button>
      }
    >
      <Loaded query={terms}>
        {data => (
          <>
            <TermTable terms={inForce(data, today())} brands={brands} />
            <Vat rates={data.vat} onChange={() => setOpen('vat')} />
          </>
        )}
      </Loaded>
      {open === 'term' && <TermDialog brands={brands} onClose={() => setOpen(undefined)} />}
      {open === 'vat' && <VatDialog onClose={() => setOpen(undefined)} />}
    </Screen>
  );
}

function TermTable({ terms, brands }: { terms: ContractTerm[]; brands: Brand[] }) {
  if (terms.length === 0) return <Empty title={texts.empty} />;
  const serviceOf = (id: number): string =>
    id === 0
      ? words.finance.books.allBrands
      : (brands.find(({ svc_id }) => svc_id === id)?.service ?? String(id));
  const columns: Column<ContractTerm>[] = [
    { id: 'network', header: words.finance.books.network, cell: ({ network }) => network },
    { id: 'brand', header: words.finance.books.brand, cell: ({ svc_id }) => serviceOf(svc_id) },
    { id: 'party', header: texts.party, kind: 'wide', cell: ({ party }) => <b>{party}</b> },
    {
      id: 'percent',
      header: texts.percent,
      kind: 'sum',
      cell: ({ basis_points }) => percent(basis_points),
    },
    {
      id: 'since',
      header: texts.since,
      cell: ({ since }) => (
        <span className="with-badge">
          <span className="nowrap">{day(since)}</span>
          {since > today() && <span className="badge warm">{texts.upcoming}</span>}
        </span>
      ),
    },
    { id: 'by', header: texts.by, kind: 'wide', cell: ({ by }) => by },
  ];
  return <DataTable label={texts.title} columns={columns} rows={terms} keyOf={({ id }) => String(id)} />;
}

function Vat({ rates, onChange }: { rates: VatRate[]; onChange: () => void }) {
  return (
    <section className="panel vat">
      <h2>{texts.vat}</h2>
      <ul>
        {rates.map(({ id, basis_points, since }) => (
          <li key={id}>{texts.vatFrom({ percent: percent(basis_points), since: day(since) })}</li>
        ))}
      </ul>
      <Button onClick={onChange}>{texts.vatChange}</Button>
    </section>
  );
}

function TermDialog({ brands, onClose }: { brands: Brand[]; onClose: () => void }) {
  const form = useChecked(termForm, {
    network: '',
    svc_id: '0',
    party: '',
    basis_points: '',
    since: today(),
  });
  const draft = useFormDraft(form, 'contract-term');
  const adding = useMutation({
    mutationFn: addTerm,
    onSuccess: () => {
      void notify(texts.added, 'done');
      void readAgain();
      onClose();
    },
    onError: error => showRefusal(form, error),
  });
  const { errors } = form.formState;
  const network = form.watch('network');
  const networks = [...new Set(brands.map(brand => brand.network))].sort();
  const services = new Map(
    brands.filter(brand => brand.network === network).map(({ svc_id, service }) => [svc_id, service]),
  );
  return (
    <Dialog title={texts.addTitle} onClose={onClose}>
      <Form
        form={form}
        draft={draft}
        onSubmit={term => adding.mutateAsync({ ...term, svc_id: Number(term.svc_id) })}
        actions={<DialogActions submit={texts.submit} pending={adding.isPending} onClose={onClose} />}
      >
        <SelectField
          label={words.finance.books.network}
          fault={errors.network?.message}
          field={form.register('network')}
          options={[['', ''], ...networks.map((each): [string, string] => [each, each])]}
        />
        <SelectField
          label={words.finance.books.brand}
          fault={errors.svc_id?.message}
          field={form.register('svc_id')}
          options={[
            ['0', words.finance.books.allBrands],
            ...[...services].map(([id, service]): [string, string] => [String(id), service]),
          ]}
        />
        <TextField
          label={texts.party}
          hint={texts.partyHint}
          fault={errors.party?.message}
          field={form.register('party')}
        />
        <TextField
          label={texts.percent}
          hint={texts.percentHint}
          inputMode="decimal"
          fault={errors.basis_points?.message}
          field={form.register('basis_points')}
        />
        <TextField
          label={texts.since}
          type="date"
          fault={errors.since?.message}
          field={form.register('since')}
        />
      </Form>
    </Dialog>
  );
}

function VatDialog({ onClose }: { onClose: () => void }) {
  const form = useChecked(vatForm, { basis_points: '', since: today() });
  const draft = useFormDraft(form, 'vat-rate');
  const changing = useMutation({
    mutationFn: addVatRate,
    onSuccess: () => {
      void notify(texts.vatChanged, 'done');
      void readAgain();
      onClose();
    },
    onError: error => showRefusal(form, error),
  });
  const { errors } = form.formState;
  return (
    <Dialog title={texts.vatTitle} onClose={onClose}>
      <Form
        form={form}
        draft={draft}
        onSubmit={changing.mutateAsync}
        actions={<DialogActions submit={texts.vatSubmit} pending={changing.isPending} onClose={onClose} />}
      >
        <TextField
          label={texts.vatPercent}
          inputMode="decimal"
          fault={errors.basis_points?.message}
          field={form.register('basis_points')}
        />
        <TextField
          label={texts.since}
          type="date"
          fault={errors.since?.message}
          field={form.register('since')}
        />
      </Form>
    </Dialog>
  );
}
