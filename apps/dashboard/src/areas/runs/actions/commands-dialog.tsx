import type { Run } from '@millrace/client';
import { Copyable } from '../../../ui/copyable.js';
import { Dialog } from '../../../ui/dialog.js';
import { Field } from '../../../ui/field.js';
import { commandsOf } from './run-commands.js';

/** The command and the request for what the page shows and does. */
export const CommandsDialog = ({ run, onClose }: { run: Run; onClose: () => void }) => (
  <Dialog
    title={`Run #${run.id} outside of the browser`}
    description="The same with the command line and the REST API. They need an API token, which is in the settings."
    width={640}
    onClose={onClose}
  >
    <div className="flex flex-col gap-4">
      {commandsOf(run.id, location.origin).map(({ label, command }) => (
        <Field key={label} label={label}>
          {() => <Copyable text={command} label={`Copy: ${label}`} />}
        </Field>
      ))}
    </div>
  </Dialog>
);
