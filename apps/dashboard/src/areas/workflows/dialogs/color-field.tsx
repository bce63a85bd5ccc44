const COLORS = [
  { value: '#3e63dd', name: 'Blue' },
  { value: '#30a46c', name: 'Green' },
  { value: '#e5484d', name: 'Red' },
  { value: '#f76b15', name: 'Orange' },
  { value: '#ffc53d', name: 'Yellow' },
  { value: '#8e4ec6', name: 'Purple' },
  { value: '#00a2c7', name: 'Cyan' },
  { value: '#8b8d98', name: 'Grey' },
] as const;

interface ColorFieldProps {
  value: string | undefined;
  onChange: (color: string) => void;
}

export const ColorField = ({ value, onChange }: ColorFieldProps) => (
  <fieldset>
    <legend className="mb-1 text-sm font-medium">Colour</legend>
    <div className="flex gap-2">
      {COLORS.map((color) => (
        <label key={color.value} className="relative">
          <input
            type="radio"
            name="color"
            value={color.value}
            checked={value === color.value}
            onChange={() => onChange(color.value)}
            className="peer absolute inset-0 opacity-0"
          />
          <span
            style={{ backgroundColor: color.value }}
            className="block size-6 rounded-md border-2 border-raised outline-2 outline-transparent peer-checked:outline-ink peer-focus-visible:outline-accent"
          />
          <span className="sr-only">{color.name}</span>
        </label>
      ))}
    </div>
  </fieldset>
);
