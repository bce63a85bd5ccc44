export const Palette = () => null;
