import { createStore } from '../store/create-store.js';

export const isPaletteOpen = createStore(false);
