import { SelectField } from '../../../ui/field.js';
import { SpaceField } from '../../../ui/space-field.js';
import type { SpaceChoice } from './use-space-choice.js';

export const SpaceChoiceFields = ({ choice }: { choice: SpaceChoice }) => (
  <div className="grid grid-cols-2 gap-3">
    <SpaceField value={choice.space ?? ''} onChange={choice.chooseSpace} />
    <SelectField
      label="Project"
      value={choice.project}
      options={choice.projectOptions}
      onChange={choice.chooseProject}
    />
  </div>
);
