import { Copyable } from './copyable.js';
import { Dialog } from './dialog.js';
import { Field } from './field.js';

/** A command of the command line, or a request of the REST API. */
export interface Command {
  label: string;
  command: string;
}

interface CommandsDialogProps {
  /** What the page shows, such as "Run #7". */
  subject: string;
  commands: readonly Command[];
  onClose: () => void;
}

/** The commands and requests for what the page shows and does. */
export const CommandsDialog = ({ subject, commands, onClose }: CommandsDialogProps) => (
  <Dialog
    title={`${subject} outside of the browser`}
    description="The same with the command line and the REST API. They need an API token, which is in the settings."
    width={640}
    onClose={onClose}
  >
    <div className="flex flex-col gap-4">
      {commands.map(({ label, command }) => (
        <Field key={label} label={label}>
          {() => <Copyable text={command} label={`Copy: ${label}`} />}
        </Field>
      ))}
    </div>
  </Dialog>
);
