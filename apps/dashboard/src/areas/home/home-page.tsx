import { Page } from '../../ui/page.js';

export const HomePage = () => <Page title="Home">todo</Page>;
