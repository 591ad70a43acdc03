/** The dialogs of the staff screen. */

import { useState } from 'react';
import type { Link, Role, RoleDecision, StaffMember } from '../../shared/contract/staff';
import { useMutation } from '../../shared/http/queries';
import { notify } from '../../shared/ui/notify';
import { changeMember, decideRole, invite, resetMember } from '../api';
import { dateTime } from '../format';
import { inviteForm, rolesForm, showRefusal, useChecked } from '../forms';
import { roleNames } from '../roles';
import { Button } from '../ui/Button';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { CopyText } from '../ui/CopyText';
import { Dialog } from '../ui/Dialog';
import { useFormDraft } from '../ui/drafts';
import { DialogActions, Form } from '../ui/Form';
import { notifyFailure } from '../ui/failure';
import { RolesField, TextField } from '../ui/fields';
import { words } from '../words';

const texts = words.staff;

/** The link, which is shown this once. */
function LinkReady({ name, link, onClose }: { name: string; link: Link; onClose: () => void }) {
  return (
    <Dialog title={texts.linkTitle} onClose={onClose}>
      <div className="stack">
        <p className="muted">{texts.linkText({ name, until: dateTime(link.expires_at) })}</p>
        <CopyText label={texts.link} text={link.link} />
        <div className="dialog-actions">
          <Button tone="primary" onClick={onClose}>
            {words.common.close}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** A new member, or one again who was removed or has not accepted: the new link ends the earlier one. */
export function InviteDialog({ member, onClose }: { member?: StaffMember; onClose: () => void }) {
  const { email = '', name = '', roles = [], waiting = [] } = member ?? {};
  const form = useChecked(inviteForm, { email, name, roles: [...roles, ...waiting.map(({ role }) => role)] });
  const draft = useFormDraft(form, `invitation ${email}`);
  const { errors } = form.formState;
  const action = useMutation({ mutationFn: invite, onError: error => showRefusal(form, error) });
  if (action.data) return <LinkReady name={action.variables.name} link={action.data} onClose={onClose} />;
  return (
    <Dialog title={member ? texts.inviteAgain({ name: member.name }) : texts.inviteTitle} onClose={onClose}>
      <Form
        form={form}
        draft={draft}
        onSubmit={action.mutateAsync}
        actions={<DialogActions submit={texts.inviteSubmit} pending={action.isPending} onClose={onClose} />}
      >
        <TextField
          label={texts.name}
          autoComplete="off"
          fault={errors.name?.message}
          field={form.register('name')}
        />
        <TextField
          label={texts.email}
          type="email"
          autoComplete="off"
          readOnly={member !== undefined}
          fault={errors.email?.message}
          field={form.register('email')}
        />
        <RolesField fault={errors.roles?.message} field={form.register('roles')} />
      </Form>
    </Dialog>
  );
}

type EditProps = {
  member: StaffMember;
  onOpen: (dialog: 'reset' | 'remove' | 'invite') => void;
  onClose: () => void;
};

/** Roles that another administrator requested are given or refused; one's own wait. */
function WaitingRoles({ member, onClose }: Pick<EditProps, 'member' | 'onClose'>) {
  const action = useMutation({
    mutationFn: (decision: RoleDecision) => decideRole(member.id, decision),
    onSuccess: (_, { accept }) => {
      void notify(accept ? texts.accepted : texts.refused, 'done');
      onClose();
    },
    onError: notifyFailure,
  });
  return member.waiting.map(({ role, requested_by: by, mine }) => (
    <div key={role}>
      <p className="muted small">{texts.waitsFor({ by, role: roleNames([role]) })}</p>
      {!mine && (
        <div className="actions">
          <Button onClick={() => action.mutate({ role, accept: true })}>
            {texts.accept({ role: roleNames([role]) })}
          </Button>
          <Button onClick={() => action.mutate({ role, accept: false })}>
            {texts.refuse({ role: roleNames([role]) })}
          </Button>
        </div>
      )}
    </div>
  ));
}

export function EditDialog({ member, onOpen, onClose }: EditProps) {
  const form = useChecked(rolesForm, { roles: [...member.roles, ...member.waiting.map(({ role }) => role)] });
  const draft = useFormDraft(form, `roles/${member.id}`);
  const { errors } = form.formState;
  const action = useMutation({
    mutationFn: ({ roles }: { roles: Role[] }) => changeMember(member.id, { roles, removed: false }),
    onSuccess: () => {
      void notify(texts.saved, 'done');
      onClose();
    },
    onError: error => showRefusal(form, error),
  });
  const active = member.state === 'active';
  return (
    <Dialog title={texts.editTitle} onClose={onClose}>
      <Form
        form={form}
        draft={draft}
        onSubmit={action.mutateAsync}
        actions={
          <div className="dialog-actions">
            <Button tone="danger-quiet" onClick={() => onOpen('remove')}>
              {texts.remove}
            </Button>
            <Button onClick={() => onOpen(active ? 'reset' : 'invite')}>
              {active ? texts.reset : texts.newLink}
            </Button>
            <span className="grow" />
            <Button type="submit" tone="primary" disabled={action.isPending}>
              {texts.save}
            </Button>
          </div>
        }
      >
        <p>
          <span className="strong">{member.name}</span> <span className="muted">{member.email}</span>
        </p>
        <WaitingRoles member={member} onClose={onClose} />
        <RolesField fault={errors.roles?.message} field={form.register('roles')} />
      </Form>
    </Dialog>
  );
}

export function ResetDialog({ member, onClose }: { member: StaffMember; onClose: () => void }) {
  const [link, setLink] = useState<Link>();
  if (link) return <LinkReady name={member.name} link={link} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={texts.resetTitle}
      text={texts.resetText({ name: member.name })}
      submit={texts.resetSubmit}
      run={() => resetMember(member.id)}
      onDone={setLink}
      onClose={onClose}
    />
  );
}
