/** Staff: list, invite, restrict, reset, remove and restore. */

import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { StaffMember } from '../../shared/contract/staff';
import { useQuery } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { changeMember, client, staffQuery } from '../api';
import { dateTime, time } from '../format';
import { staffSessionsPath } from '../paths';
import { roleNames } from '../roles';
import { useStaff } from '../staff';
import { Button } from '../ui/Button';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { type Column, DataTable } from '../ui/DataTable';
import { Screen } from '../ui/Screen';
import { Empty, Loaded } from '../ui/States';
import { words } from '../words';
import { EditDialog, InviteDialog, ResetDialog } from './staff-dialogs';

const texts = words.staff;
type Open =
  | { dialog: 'invite'; member?: StaffMember }
  | { dialog: 'edit' | 'reset' | 'remove'; member: StaffMember };

export function StaffScreen() {
  const staff = useQuery(staffQuery);
  const [open, setOpen] = useState<Open>();
  const [text, setText] = useState('');
  const [withRemoved, setWithRemoved] = useState(false);
  const rows = useMemo(() => matching(staff.data ?? [], text, withRemoved), [staff.data, text, withRemoved]);
  const close = () => {
    setOpen(undefined);
    void client.invalidateQueries(staffQuery);
  };
  return (
    <Screen
      title={texts.title}
      lead={texts.lead}
      actions={
        <Button tone="primary" onClick={() => setOpen({ dialog: 'invite' })}>
          {texts.invite}
        </Button>
      }
    >
      <div className="filters">
        <input
          type="search"
          className="grow"
          aria-label={texts.filter}
          placeholder={texts.filter}
          value={text}
          onChange={event => setText(event.target.value)}
        />
        <label className="check">
          <input
            type="checkbox"
            checked={withRemoved}
            onChange={event => setWithRemoved(event.target.checked)}
          />
          {texts.showRemoved}
        </label>
      </div>
      <Loaded query={staff}>
        {data =>
          rows.length > 0 ? (
            <StaffTable rows={rows} onOpen={setOpen} />
          ) : (
            <Empty title={data.length > 0 ? texts.filtered : texts.empty} />
          )
        }
      </Loaded>
      {open?.dialog === 'invite' && (
        <InviteDialog {...(open.member && { member: open.member })} onClose={close} />
      )}
      {open?.dialog === 'edit' && (
        <EditDialog
          member={open.member}
          onOpen={dialog => setOpen({ dialog, member: open.member })}
          onClose={close}
        />
      )}
      {open?.dialog === 'reset' && <ResetDialog member={open.member} onClose={close} />}
      {open?.dialog === 'remove' && (
        <ConfirmDialog
          title={texts.removeTitle({ name: open.member.name })}
          text={texts.removeText}
          submit={texts.removeSubmit}
          run={async () => {
            await changeMember(open.member.id, { roles: open.member.roles, removed: true });
            void notify(texts.removed({ name: open.member.name }), 'done');
          }}
          onClose={close}
        />
      )}
    </Screen>
  );
}

/** The members whose name, address or roles contain the text. */
export function matching(members: StaffMember[], text: string, withRemoved: boolean): StaffMember[] {
  const query = text.trim().toLowerCase();
  return members.filter(
    ({ name, email, roles, state }) =>
      (withRemoved || state !== 'removed') &&
      `${name} ${email} ${roleNames(roles)}`.toLowerCase().includes(query),
  );
}

/** The first administrator has no name before the invitation is accepted. */
const nameOf = ({ name, email }: StaffMember): string => name || email;

const BADGES = { invited: '', active: 'good', removed: 'bad' };

function StaffTable({ rows, onOpen }: { rows: StaffMember[]; onOpen: (open: Open) => void }) {
  const me = useStaff();
  const columns = useMemo<Column<StaffMember>[]>(
    () => [
      {
        id: 'name',
        header: texts.name,
        sort: ({ name }) => name.toLowerCase(),
        cell: member => (
          <button
            type="button"
            className="link strong"
            data-item
            aria-label={texts.edit({ name: nameOf(member) })}
            // A removed member comes back by an invitation.
            onClick={() => onOpen({ dialog: member.state === 'removed' ? 'invite' : 'edit', member })}
          >
            {nameOf(member)}
            {member.id === me.id && <span className="muted"> ({texts.you})</span>}
          </button>
        ),
      },
      {
        id: 'email',
        header: texts.email,
        sort: ({ email }) => email,
        cell: ({ email }) => email,
        kind: 'wide',
      },
      {
        id: 'roles',
        header: texts.roles,
        sort: ({ roles }) => roleNames(roles),
        cell: ({ roles, waiting }) => (
          <span className="badges">
            {roles.map(role => (
              <span key={role} className="badge">
                {roleNames([role])}
              </span>
            ))}
            {waiting.map(({ role }) => (
              <span key={role} className="badge warm">
                {texts.waits({ role: roleNames([role]) })}
              </span>
            ))}
          </span>
        ),
      },
      {
        id: 'state',
        header: texts.state,
        sort: ({ state }) => state,
        cell: ({ state, locked_until }) => (
          <span className="badges">
            <span className={`badge ${BADGES[state]}`}>{texts.states[state]}</span>
            {locked_until && <span className="badge bad">{texts.locked({ until: time(locked_until) })}</span>}
          </span>
        ),
      },
      {
        id: 'seen',
        header: texts.seen,
        sort: ({ last_seen_at }) => last_seen_at ?? '',
        cell: ({ last_seen_at }) => (last_seen_at ? dateTime(last_seen_at) : words.common.never),
      },
      {
        id: 'actions',
        header: '',
        kind: 'actions',
        cell: member => (
          <Link
            className="button"
            to={staffSessionsPath(member.id)}
            aria-label={words.sessions.titleOf({ name: member.name })}
          >
            {texts.sessions}
          </Link>
        ),
      },
    ],
    [me.id, onOpen],
  );
  return <DataTable label={texts.title} columns={columns} rows={rows} keyOf={({ id }) => String(id)} />;
}
