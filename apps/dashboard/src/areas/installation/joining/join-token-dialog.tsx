import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { JoinToken } from '@millrace/client';
import { parseLabels } from '@millrace/contracts/runs/labels-text';
import { client } from '../../../api/client.js';
import { Copyable } from '../../../ui/copyable.js';
import { Field, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { NumberField } from '../../../ui/number-field.js';
import { useRefresh } from '../parts/area-queries.js';
import { ChoiceBoxes } from '../parts/choice-boxes.js';
import { SecretDialog } from '../parts/secret-dialog.js';
import { joinCommand } from './join-command.js';

const SIZES = ['small', 'medium', 'large'] as const satisfies JoinToken['sizes'];
const MAX_USES = 1_000;
const MAX_HOURS = 720;
const DEFAULTS = { fleet: 'default', uses: 1, hours: 24 };

/** Creates a join token, and shows it once, with the command that uses it. */
export function JoinTokenDialog({ onClose }: { onClose: () => void }) {
  const refresh = useRefresh();
  const [name, setName] = useState('');
  const [fleet, setFleet] = useState(DEFAULTS.fleet);
  const [labelText, setLabelText] = useState('');
  const [sizes, setSizes] = useState<JoinToken['sizes']>([...SIZES]);
  const [uses, setUses] = useState<number | undefined>(DEFAULTS.uses);
  const [hours, setHours] = useState<number | undefined>(DEFAULTS.hours);
  const labels = parseLabels(labelText);
  const isIncomplete =
    [name, fleet].some((text) => text.trim() === '') || labels === null || sizes.length === 0 || !uses || !hours;
  const create = useMutation({
    mutationFn: () =>
      client.joinTokens.create({
        ...{ name: name.trim(), fleet: fleet.trim(), labels: labels ?? {}, sizes },
        ...(uses !== undefined && { max_uses: uses }),
        ...(hours !== undefined && { hours }),
      }),
    // The token is shown at once, and does not stay in the cache after the dialog.
    onSuccess: () => void refresh(),
    gcTime: 0,
  });
  if (create.data) return <NewToken token={create.data.token} onClose={onClose} />;
  return (
    <FormDialog
      title="New join token"
      description="A machine exchanges it for credentials of its own, which work until you revoke the worker."
      action="Create"
      mutation={create}
      isIncomplete={isIncomplete}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={setName} maxLength={255} dir="auto" required autoFocus />
      <TextField
        label="Fleet"
        hint="Small letters, digits and “-”. Nodes of workflows choose a fleet by its name."
        value={fleet}
        onChange={setFleet}
        maxLength={63}
        autoComplete="off"
        required
      />
      <TextField
        label="Labels"
        hint="Those that its workers may have, such as gpu=true, zone=eu"
        error={labels === null ? 'It must be a list such as gpu=true, zone=eu.' : undefined}
        value={labelText}
        onChange={setLabelText}
        autoComplete="off"
      />
      <ChoiceBoxes label="Sizes of steps" choices={SIZES} chosen={sizes} onChange={setSizes} />
      <div className="grid grid-cols-2 gap-4">
        <NumberField label="Workers that may join" value={uses} min={1} max={MAX_USES} required onChange={setUses} />
        <NumberField
          label="Hours until it expires"
          value={hours}
          min={1}
          max={MAX_HOURS}
          required
          onChange={setHours}
        />
      </div>
    </FormDialog>
  );
}

const NewToken = ({ token, onClose }: { token: string; onClose: () => void }) => (
  <SecretDialog title="Let a machine join" token={token} onClose={onClose}>
    <p className="text-sm">
      On the machine, store the token in a file <code className="font-mono text-xs">token</code> that only its user can
      read. Then run this command in the same folder.
    </p>
    <Field label="Command">{() => <Copyable text={joinCommand(location.origin)} label="Copy the command" />}</Field>
  </SecretDialog>
);
