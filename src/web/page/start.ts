import { chosenLanguage } from './state/chosen-language.js';

// The build makes a script for each language.
const script = `/page.${chosenLanguage()}.js`;
void import(script);
