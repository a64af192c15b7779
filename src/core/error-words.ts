/**
 * What spreadsheet programs show in a cell whose formula ended in an error, in the languages that they have: the words of
 * Excel, then those of LibreOffice and Google Sheets that are others.
 */
const WORDS = `
#N/A #REF! #VALUE! #DIV/0! #NUM! #NAME? #NULL! #GETTING_DATA #SPILL! #CALC! #FIELD! #BLOCKED! #CONNECT! #UNKNOWN! #BUSY!
#PYTHON! #EXTERNAL! #TIMEOUT! #ERROR! #MACRO? #LOADING...
#NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! #KALK! #FELD! #DATEN_ABRUFEN
#VALEUR! #NOMBRE! #NOM? #NUL! #PROPAGATION! #EPARS! #CALCUL! #CHAMP!
#N/D #¡REF! #¡VALOR! #¡NUM! #¿NOMBRE? #¡NULO! #¡DIV/0! #¡DESBORDAMIENTO! #¡CALC! #¡CAMPO!
#VALOR! #NÚM! #NOME? #NULO! #DESPEJAR! #DESPEJO!
#RIF! #VALORE! #NULLO! #ESPANSIONE! #CALC!
#N/D! #ADR! #ARG! #LICZBA! #NAZWA? #ZERO! #DZIEL/0! #ROZLANIE! #OBL!
#Н/Д #ССЫЛКА! #ЗНАЧ! #ЧИСЛО! #ИМЯ? #ПУСТО! #ДЕЛ/0! #ПЕРЕНОС! #ВЫЧИСЛ! #ПОЛЕ! #ПЕРЕПОЛНЕНИЕ!
#ПОСИЛАННЯ! #ІМ'Я? #ДІЛ/0! #ЗНАЧЕННЯ!
#N/B #VERW! #WAARDE! #GETAL! #NAAM? #LEEG! #DEEL/0! #OVERLOOP! #BEREKEN!
#SAKNAS! #REFERENS! #VÄRDEFEL! #OGILTIGT! #NAMN? #SKÄRNING! #DIVISION/0! #SPILL!
#I/T #REFERENCE! #VÆRDI! #NAVN? #OVERLØB! #VERDI! #OVERFLYT!
#PUUTTUU! #VIITTAUS! #ARVO! #LUKU! #NIMI? #TYHJÄ! #JAKO/0! #VUOTO!
#NENÍ_K_DISPOZICI #ODKAZ! #HODNOTA! #ČÍSLO! #NÁZEV? #DĚLENÍ_NULOU! #PŘESAH! #NEDOSTUPNÝ #HODN! #NÁZOV? #DELENIENULOU!
#HIÁNYZIK #HIV! #ÉRTÉK! #SZÁM! #NÉV? #NULLA! #ZÉRÓOSZTÓ! #KIBONTÁS!
#YOK #BAŞV! #DEĞER! #SAYI! #AD? #BOŞ! #SAYI/0! #TAŞMA!
#Δ/Υ #ΑΝΑΦ! #ΤΙΜΗ! #ΑΡΙΘ! #ΟΝΟΜΑ? #ΚΕΝΟ! #ΔΙΑΙΡ/0!
`;

const KNOWN: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));
/** LibreOffice numbers the errors that have no word. */
const NUMBERED = /^(?:ERR|FEHLER|ERREUR|ОШИБКА) ?: ?5\d\d$/;
const LONGEST = 20;
/** How they begin, white space aside; of the numbered ones in small letters as well. A table of all is looked up fastest. */
const STARTS = new Uint8Array(0x500);
for (const sign of '#eEfFоО \t\u00a0') STARTS[sign.charCodeAt(0)] = 1;

/** Whether there may be such an error in a text of many cells. */
export const mayHoldErrorWord = (text: string): boolean =>
  text.includes('#') || text.includes(':5') || text.includes(': 5');

/** Whether a text is, as a whole, the error of a formula as a spreadsheet program shows it. */
export function isErrorWord(text: string): boolean {
  // Nearly every cell is none, and shows it by its first character.
  if (text.length > LONGEST || STARTS[text.charCodeAt(0)] !== 1) return false;
  const word = text.trim().toUpperCase().normalize('NFC');
  return KNOWN.has(word) || NUMBERED.test(word);
}
