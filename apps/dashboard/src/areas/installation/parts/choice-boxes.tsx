import { Checkbox } from '../../../ui/field.js';

interface ChoiceBoxesProps<T extends string> {
  label: string;
  choices: readonly T[];
  chosen: readonly T[];
  /** Called with the chosen ones in the order of `choices`. */
  onChange: (chosen: T[]) => void;
}

/** Checkboxes to choose some of a few names. */
export const ChoiceBoxes = <T extends string>({ label, choices, chosen, onChange }: ChoiceBoxesProps<T>) => (
  <fieldset>
    <legend className="mb-1.5 text-sm font-medium">{label}</legend>
    <div className="grid grid-cols-3 gap-1.5">
      {choices.map((choice) => (
        <Checkbox
          key={choice}
          label={choice}
          checked={chosen.includes(choice)}
          onChange={(isChecked) =>
            onChange(choices.filter((one) => (one === choice ? isChecked : chosen.includes(one))))
          }
        />
      ))}
    </div>
  </fieldset>
);
