/** The sessions of the reader, or for an administrator those of a staff member. */

import { useMemo } from 'react';
import { useParams } from 'react-router';
import type { Session } from '../../shared/contract/staff';
import { useMutation, useQuery } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { client, endSession, enter, sessionsQuery, staffQuery } from '../api';
import { dateTime, device } from '../format';
import { Button } from '../ui/Button';
import { type Column, DataTable } from '../ui/DataTable';
import { notifyFailure } from '../ui/failure';
import { Screen } from '../ui/Screen';
import { Empty, Loaded } from '../ui/States';
import { words } from '../words';
import { SignInMethods } from './SignInMethods';

const deviceOf = ({ agent }: Session): string => device(agent) ?? words.sessions.unknownDevice;

export function SessionsScreen() {
  const { id } = useParams();
  const staffId = id === undefined ? undefined : Number(id);
  const sessions = useQuery(sessionsQuery(staffId));
  const staff = useQuery({ ...staffQuery, enabled: staffId !== undefined });
  const name = staff.data?.find(member => member.id === staffId)?.name;
  const { mutate, isPending } = useMutation({
    mutationFn: (session: Session) => endSession(session.id),
    onSuccess: (_, session) => {
      void notify(words.sessions.ended, 'done');
      if (session.current) enter(null);
      else void client.invalidateQueries({ queryKey: ['sessions'] });
    },
    onError: notifyFailure,
  });
  const columns = useMemo<Column<Session>[]>(
    () => [
      {
        id: 'device',
        header: words.sessions.device,
        cell: session => (
          <span className="with-badge">
            <span className="strong" title={session.agent}>
              {deviceOf(session)}
            </span>
            {session.current && <span className="badge good">{words.sessions.current}</span>}
          </span>
        ),
        sort: deviceOf,
      },
      { id: 'address', header: words.sessions.address, cell: ({ address }) => address, kind: 'mono' },
      {
        id: 'started',
        header: words.sessions.started,
        cell: ({ started_at }) => dateTime(started_at),
        sort: ({ started_at }) => started_at,
      },
      {
        id: 'seen',
        header: words.sessions.seen,
        cell: ({ last_seen_at }) => dateTime(last_seen_at),
        sort: ({ last_seen_at }) => last_seen_at,
      },
      {
        id: 'end',
        header: '',
        kind: 'actions',
        cell: session => (
          <Button
            data-item
            aria-label={words.sessions.endOf({ device: deviceOf(session) })}
            disabled={isPending}
            onClick={() => mutate(session)}
          >
            {words.sessions.end}
          </Button>
        ),
      },
    ],
    [isPending, mutate],
  );
  const title = name ? words.sessions.titleOf({ name }) : words.sessions.title;
  return (
    <Screen title={title} lead={words.sessions.lead}>
      <Loaded query={sessions}>
        {data =>
          data.length > 0 ? (
            <DataTable label={title} columns={columns} rows={data} keyOf={({ id }) => String(id)} />
          ) : (
            <Empty title={words.sessions.empty} />
          )
        }
      </Loaded>
      {staffId === undefined && <SignInMethods />}
    </Screen>
  );
}
