import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import type { EncodingDoubt } from '../../../core/table.js';
import { SINGLE_BYTE, type SingleByte, canFindUtf8In, utf8InsideAt } from './candidates.js';
import { tableDecoder } from './table-decoder.js';

export interface ChosenEncoding {
  readonly label: string;
  readonly doubt: EncodingDoubt | undefined;
}

/** What a byte beyond ASCII adds at least, on average, to a text of which the encoding is sure. */
const MIN_AVERAGE = 0.15;
/** What it costs a cell to be in another language than the others. */
const OTHER_LANGUAGE = 1;

const MAX_BONUS = 4;
/** First languages of the encodings that are for Latin letters. */
const LATIN_LANGUAGES: ReadonlySet<string> = new Set(['de', 'pl', 'lt', 'tr', 'vi']);

/** Which of the encodings that are none of Unicode's a text is in. */
export async function chooseEncoding(sample: Buffer): Promise<ChosenEncoding> {
  const cells = cellsOutsideAscii(sample);
  const scored = await scoreAll(cells, latinBonus(sample));
  const [best] = scored;
  if (!best) return { label: 'windows-1252', doubt: undefined };
  const mixed = mixedWithUtf8(cells, best);
  if (mixed) return mixed;
  const others = scored.filter((other) => differs(best, other));
  const isWeak = best.score < MIN_AVERAGE * highBytes(cells);
  const rival = others.find(
    (other) => isWeak || best.score - other.score < requiredMargin(best, other),
  );
  return { label: best.label, doubt: rival && doubtOf(best, rival) };
}

/** By how much another encoding has to be likelier than UTF-8, in which hardly any other text is valid. */
const UTF8_LEAD = 4;

/** What makes a text unsure that is valid UTF-8 by a few characters alone. */
export async function doubtOfUtf8(sample: Buffer): Promise<EncodingDoubt | undefined> {
  const cells = cellsOutsideAscii(sample);
  if (cells.every((cell) => utf8InsideAt(cell) >= 0)) return undefined;
  const utf8 = scoreUtf8(cells);
  const [best] = await scoreAll(cells, 0);
  return best && best.score > utf8.score + UTF8_LEAD ? doubtOf(utf8, best) : undefined;
}

async function scoreAll(cells: readonly Buffer[], bonus: number): Promise<Scored[]> {
  const scored: Scored[] = scoreMultiByte(cells).map((one) => ({ ...one, isLatin: false }));
  for (const candidate of SINGLE_BYTE) {
    const single = await scoreSingleByte(candidate, cells);
    scored.push(single.isLatin ? { ...single, score: single.score + bonus } : single);
  }
  return scored.sort((a, b) => b.score - a.score);
}

function scoreUtf8(cells: readonly Buffer[]): Scored {
  const texts = cells.map((cell) => cell.toString());
  const characters = texts.map(charactersOf);
  const scores = LANGUAGES.map((language) =>
    scoreAs(language, characters).reduce((a, b) => a + b, 0),
  );
  const ideographs = texts.join('').match(IDEOGRAPHS)?.length ?? 0;
  const score = Math.max(...scores) + IDEOGRAPH * ideographs;
  return { label: 'utf-8', score, cells: texts, isLatin: false };
}

const IDEOGRAPHS = /[\u4e00-\u9fff]/g;
const IDEOGRAPH = 4;

const LANGUAGES = [...new Set(SINGLE_BYTE.flatMap(({ languages }) => languages))];

/**
 * Of a text in which words are UTF-8, and others are not: most of them decide. As UTF-8, it is refused at the first line
 * that is none.
 */
function mixedWithUtf8(cells: readonly Buffer[], best: Scored): ChosenEncoding | undefined {
  const inside = cells.map((cell) => isUtf8(cell) && utf8InsideAt(cell) >= 0);
  const count = inside.filter(Boolean).length;
  if (count * 2 > cells.length) return { label: 'utf-8', doubt: undefined };
  if (count === 0 || !canFindUtf8In(best.label)) return undefined;
  const utf8 = cells.map((cell, at) => (inside[at] ? cell.toString() : (best.cells[at] ?? '')));
  return { label: best.label, doubt: doubtOf(best, { label: 'utf-8', cells: utf8 }) };
}

/** How much the plain letters around speak for an alphabet that is Latin: little, unless there are many more of them. */
function latinBonus(sample: Buffer): number {
  const text = sample.toString('latin1');
  const letters = text.match(/[A-Za-z]/g)?.length ?? 0;
  const high = text.match(/[\x80-\xff]/g)?.length ?? 0;
  return Math.min(MAX_BONUS, Math.max(0, Math.log(letters / (2 * high + 1))));
}

function isLatin({ languages }: SingleByte): boolean {
  return LATIN_LANGUAGES.has(languages[0] ?? '');
}

async function scoreSingleByte(candidate: SingleByte, cells: readonly Buffer[]): Promise<Scored> {
  const { label, languages, prior } = candidate;
  const decoder = await tableDecoder(label);
  const texts = cells.map((cell) => decoder.decode(cell));
  const characters = texts.map(charactersOf);
  const byLanguage = languages.map((language) => scoreAs(language, characters));
  const single = Math.max(...byLanguage.map((scores) => scores.reduce((a, b) => a + b, 0)));
  let mixed = 0;
  cells.forEach((_, at) => {
    mixed += Math.max(...byLanguage.map((scores) => scores[at] ?? 0)) - OTHER_LANGUAGE;
  });
  const score = prior + Math.max(single, mixed);
  return { label, score, cells: texts, isLatin: isLatin(candidate) };
}

function differs({ cells }: Scored, other: Scored): boolean {
  return cells.some((cell, at) => cell !== other.cells[at]);
}

function highBytes(cells: readonly Buffer[]): number {
  let count = 0;
  for (const cell of cells) for (const byte of cell) if (byte > 0x7f) count++;
  return count;
}

type Texts = Pick<Scored, 'label' | 'cells'>;

/** The first word that the two read differently. */
function doubtOf(best: Texts, second: Texts): EncodingDoubt {
  const at = best.cells.findIndex((cell, index) => cell !== second.cells[index]);
  const words = (best.cells[at] ?? '').split(' ');
  const others = (second.cells[at] ?? '').split(' ');
  const index = words.findIndex((word, place) => word !== others[place]);
  const isAligned = words.length === others.length && index >= 0;
  return {
    runnerUp: second.label,
    word: (isAligned ? words[index] : words.join(' ')) ?? '',
    otherWord: (isAligned ? others[index] : others.join(' ')) ?? '',
  };
}

/** Bytes that neither stand for a letter nor are a part of a character in any encoding with more than a byte for some. */
const BETWEEN = /[\t\n\r,;"]+/;
const OUTSIDE_ASCII = /[\x80-\xff]/;

/** What is looked at: more does not change the answer, and takes time for each encoding and language. */
const MAX_CELLS = 800;
const MAX_BYTES = 24 * 1024;

/**
 * What stands between words. No higher byte: those may be the second half of a character. Digits and signs show
 * nothing of an encoding, so that one word with many numbers is the evidence of one word.
 */
const BETWEEN_WORDS = /[^\u0040-\u{10ffff}]+/u;

/** Cells, or parts of cells, with a word beyond ASCII that none before has, taken evenly from all of the sample. */
function cellsOutsideAscii(sample: Buffer): Buffer[] {
  const cells = cellsWithNewWords(sample);
  const step = Math.max(1, cells.length / MAX_CELLS);
  const taken: Buffer[] = [];
  let bytes = 0;
  for (let at = 0; at < cells.length && bytes < MAX_BYTES; at += step) {
    const cell = Buffer.from(cells[Math.floor(at)] ?? '', 'latin1');
    taken.push(cell);
    bytes += cell.length;
  }
  return taken;
}

function cellsWithNewWords(sample: Buffer): string[] {
  const words = new Set<string>();
  return (
    sample
      .toString('latin1')
      .split(BETWEEN)
      .filter((cell) => {
        const before = words.size;
        for (const word of wordsOutsideAscii(cell)) words.add(word);
        return words.size > before;
      })
      // In latin1, bytes of letters look like blanks as well.
      .map((cell) => cell.replace(/^ +| +$/g, ''))
  );
}

function wordsOutsideAscii(cell: string): string[] {
  return OUTSIDE_ASCII.test(cell)
    ? cell.split(BETWEEN_WORDS).filter((word) => OUTSIDE_ASCII.test(word))
    : [];
}

/** Cells as text in one encoding, and how likely that text is. */
interface Scored {
  readonly label: string;
  readonly score: number;
  readonly cells: readonly string[];
  /** Whether the encoding is for Latin letters, most of which are ASCII. */
  readonly isLatin: boolean;
}

/** An encoding that leads by less is not sure. */
const MIN_MARGIN = 5;
/** What a lead has to be where a single letter shows the difference, and how much less with each more. */
const FIRST_LETTER = 21;
const EACH_LETTER = 1;
/** The same in words of which both read most letters alike, or that ASCII letters belong to. */
const FIRST_OF_KNOWN_WORD = 10;
/** The usual encoding of Latin letters is hardly doubted for a single accent. */
const FIRST_OF_USUAL = 7;
const EACH_OF_KNOWN_WORD = 1;

const LETTER = /\p{L}/u;
const ASCII_LETTER = /[A-Za-z]/;

/**
 * By how much an encoding has to lead another one to be sure: by more, the fewer letters they read differently. Short
 * words make sense in several encodings.
 */
function requiredMargin(best: Scored, other: Scored): number {
  const { letters, areKnown } = differences(best, other);
  if (!areKnown) return Math.max(MIN_MARGIN, FIRST_LETTER - EACH_LETTER * (letters - 1));
  if (letters === 0) return MIN_MARGIN;
  const first = best.label === 'windows-1252' ? FIRST_OF_USUAL : FIRST_OF_KNOWN_WORD;
  return Math.max(MIN_MARGIN, first - EACH_OF_KNOWN_WORD * (letters - 1));
}

/** How many letters of distinct words differ, and whether most of each of these words is known. */
function differences(best: Scored, other: Scored): { letters: number; areKnown: boolean } {
  const seen = new Set<string>();
  let letters = 0;
  let areKnown = true;
  best.cells.forEach((cell, at) => {
    const others = (other.cells[at] ?? '').split(BETWEEN_WORDS);
    for (const [place, word] of cell.split(BETWEEN_WORDS).entries()) {
      const otherWord = others[place] ?? '';
      if (word === otherWord || seen.has(word)) continue;
      seen.add(word);
      const isSign = !LETTER.test(word);
      const count = charactersThatDiffer(word, otherWord);
      if (!isSign || !best.isLatin) letters += count;
      areKnown &&= count * 2 < word.length || (best.isLatin && (isSign || ASCII_LETTER.test(word)));
    }
  });
  return { letters, areKnown };
}

function charactersThatDiffer(word: string, other: string): number {
  const others = Array.from(other);
  const characters = Array.from(word);
  let count = Math.max(0, others.length - characters.length);
  for (const [at, character] of characters.entries()) if (character !== others[at]) count++;
  return count;
}

/** An encoding of one to four bytes a character. */
interface MultiByte {
  readonly label: string;
  readonly common: keyof typeof COMMON_CHARACTERS;
  /** Where the encoding, or one of the same characters, has those of everyday use: first and last lead byte, and trail bytes. */
  readonly everyday: {
    readonly label: string;
    readonly leads: readonly [number, number];
    readonly trails: readonly [number, number];
  };
  readonly hasKana: boolean;
}

const JIS = { label: 'euc-jp', leads: [0xb0, 0xcf], trails: [0xa1, 0xfe] } as const;

const MULTI_BYTE: readonly MultiByte[] = [
  { label: 'shift_jis', common: 'ja', everyday: JIS, hasKana: true },
  { label: 'euc-jp', common: 'ja', everyday: JIS, hasKana: true },
  {
    label: 'gb18030',
    common: 'zh-Hans',
    everyday: { label: 'gb18030', leads: [0xb0, 0xd7], trails: [0xa1, 0xfe] },
    hasKana: false,
  },
  {
    label: 'big5',
    common: 'zh-Hant',
    everyday: { label: 'big5', leads: [0xa4, 0xc6], trails: [0x40, 0xfe] },
    hasKana: false,
  },
  {
    label: 'euc-kr',
    common: 'ko',
    everyday: { label: 'euc-kr', leads: [0xb0, 0xc8], trails: [0xa1, 0xfe] },
    hasKana: false,
  },
];

const COMMON = 4;
const KANA = 3;
const EVERYDAY = 0.8;
const SIGN = 0.5;
/** Half the width: one byte each in Shift_JIS, so that anything reads as some. */
const NARROW_KANA = -0.3;
const RARE = -4;
/** A small Latin letter beside a character of East Asia. */
const LATIN_BESIDE = -5;

const SIGNS = /[\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/;
const KANAS = /[\u3041-\u30ff]/;
const NARROW_KANAS = /[\uff61-\uff9f]/;
const SMALL_LATIN = /[a-z]/;

/** An encoding that the cells are valid text in, and how likely that text is. */
interface MultiByteScore {
  readonly label: string;
  readonly score: number;
  /** The cells as text. */
  readonly cells: readonly string[];
}

/** The encodings with several bytes for some characters that all of the cells are valid in. */
function scoreMultiByte(cells: readonly Buffer[]): MultiByteScore[] {
  const bytes = Buffer.concat(cells.flatMap((cell) => [cell, Buffer.of(0x0a)]));
  return MULTI_BYTE.flatMap((encoding) => {
    const text = decodeStrictly(bytes, encoding.label);
    if (text === undefined) return [];
    const decoded = text.split('\n').slice(0, -1);
    return [{ label: encoding.label, score: scoreText(text, encoding), cells: decoded }];
  });
}

function decodeStrictly(bytes: Buffer, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    // No text of this encoding, which is the question.
    return undefined;
  }
}

function scoreText(text: string, { common, everyday, hasKana }: MultiByte): number {
  const usual = new Set<string>(COMMON_CHARACTERS[common]);
  const known = everydayCharacters(everyday);
  const scoreOf = (char: string): number => {
    if (usual.has(char)) return COMMON;
    if (hasKana && KANAS.test(char)) return KANA;
    if (known.has(char)) return EVERYDAY;
    if (SIGNS.test(char)) return SIGN;
    return NARROW_KANAS.test(char) ? NARROW_KANA : RARE;
  };
  let score = 0;
  let before = '';
  for (const char of text) {
    if (char > '\x7f') score += scoreOf(char) + (SMALL_LATIN.test(before) ? LATIN_BESIDE : 0);
    else if (before > '\x7f' && SMALL_LATIN.test(char)) score += LATIN_BESIDE;
    before = char;
  }
  return score;
}

const everydaySets = new Map<string, ReadonlySet<string>>();

function everydayCharacters({ label, leads, trails }: MultiByte['everyday']): ReadonlySet<string> {
  const known = everydaySets.get(label);
  if (known) return known;
  const bytes: number[] = [];
  for (let lead = leads[0]; lead <= leads[1]; lead++)
    for (let trail = trails[0]; trail <= trails[1]; trail++)
      if (trail < 0x7f || trail > 0xa0) bytes.push(lead, trail);
  const characters = new Set(
    new TextDecoder(label).decode(Uint8Array.from(bytes)).replaceAll('\ufffd', ''),
  );
  everydaySets.set(label, characters);
  return characters;
}

/**
 * Characters that make up about half of what is written in a language, names and addresses above all. Order does not
 * matter.
 */
const COMMON_CHARACTERS = {
  'zh-Hans':
    '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔京上海广州深圳李王刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛超明霞平刚桂兰浩玉红鹏华飞鑫波斌莉辉玲梅琳婷慧莹雪倩梦洁佳欣怡宇轩子涵浩博俊客户电话姓地址备注省市县区街道号楼室村镇有限公司科技贸易集团联系手机邮箱先生女士杭成都武汉南京西安重庆天津沈青岛大连厦门',
  'zh-Hant':
    '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作里用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運筆陳林黃張李王吳劉蔡楊許鄭謝洪郭邱曾廖賴徐周葉蘇莊呂江何蕭羅高潘簡朱鍾游彭詹胡施沈余盧梁趙顏柯翁魏孫戴范方宋鄧杜傅侯曹薛丁馬董唐藍石卓溫馮紀蔣姚歐程康姜美麗淑惠雅玲怡君佳志明俊傑家豪宗翰冠宇承恩建宏文雄偉倫雯婷穎慧芬芳華玉珍秀英台北臺高雄新竹桃園彰化嘉義屏東花蓮宜蘭香港九龍客戶電話姓地址備註縣市區鄉鎮街路巷弄號樓室股份有限公司科技貿易集團聯絡手機郵箱先生小姐',
  ja: '日一人年大十二本中長出三時行見月後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語土木聞食車何南万毎白天母火右読友左休父雨会国同事自社発者地業方新場員立開手力問代明動京目通言理体田主題意不作用度強公持野以思家世多正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終台広住真有口少町料工建空急止送切転研足究楽起着店病質待試族銀早映親験英医仕去味写字答夜音注帰古歌買悪図週室歩風紙黒花春赤青館屋色走秋夏習駅洋旅服夕借曜飲肉貸堂鳥飯勉冬昼茶弟牛魚兄犬妹姉漢佐藤鈴木高橋田中伊渡辺山本村小林加吉山崎池森阿部石井清水長谷川斎坂遠青福西太田三浦岡松尾原島和美子由紀恵一郎太裕健翔大輔優希陽菜結衣葵拓也直樹誠智洋平愛彩香里奈真央都道府県市区町村丁目番号株式会社電話氏名住所郵便横浜名古屋神戸札幌仙台広島福岡京大阪千葉埼玉静岡熊鹿児沖縄顧客連絡担当様',
  ko: '가각간갈감강개거건검게겨격견결경계고곡곤공과관광교구국군권귀규균그극근금급기김길나난날남내너네년노녀농는능니님다단달담당대더덕데도독동된두드득든등디따때또라락란랑래량러런레려력련령로록론료루류률르른를름리린림립마막만말망맞매먼메면명모목무문물미민및바박반받발방배백번범법변별병보복본봉부북분불비빈사산살삼상새생서석선설섭성세소손송수숙순술스습승시식신실심십아안알암았앞애야약양어언업없에여역연열염영예오옥온올와완왕외요용우운울원월위유육윤율으은을음응의이인일임입있자작잔장재저적전절점정제조종주중즉증지진집차창채처천철첫청체초촌최추축춘출충취치친칠카코쿠크타탁탄태택터토통투트특파판팔페편평포표품풍프피필하학한할함합항해행향허험현형혜호홍화확환활황회획효후훈휴흥희히',
} as const;

/** What a pair of letters adds, by how usual it is in the language. In all scores, 1 is about the factor e. */
const SEEN = [2.2, 1.2, 0.2] as const;
/** Both letters belong to the language, but hardly ever stand side by side. */
const UNUSUAL = -1.3;
const FOREIGN_LETTER = -4;
/** Either side of a letter that stands alone. */
const ALONE = -0.5;
/** A Latin letter beside one of another alphabet. */
const MIXED = -4;
/** A capital letter inside a word that began with small ones. */
const CAPITAL_INSIDE = -7;
/** A small letter at the end of capitals: some abbreviations are written so. */
const SMALL_AT_END = -3;

const USUAL_SIGN = 0.8;
const RARE_SIGN = -1.5;
const ELIDED = 5;
/** A sign between letters, apostrophes aside, or a rare one beside them. */
const SIGN_INSIDE = -4;
/** A usual sign right before or behind a word, where it does not belong. */
const SIGN_BESIDE = -2.5;
const CONTROL = -6;
const UNASSIGNED = -8;

const LETTERS = /[\p{L}\p{M}]/u;
const LATIN = /\p{Script=Latin}/u;
const UPPER = /\p{Lu}/u;
const LOWER = /\p{Ll}/u;
/** Controls, and what frames were drawn of. */
const CONTROLS = /[\x80-\x9f\u2500-\u259f]/;
const INHERITED = /\p{Script=Inherited}/u;
const USUAL_SIGNS = new Set('\u00a0«»–—“”„‘’‚…€£°№•·©®™§ºª¡¿');
const APOSTROPHES = new Set('‘’');
/** What stands around an apostrophe: English endings, French and Italian articles, Irish names. */
const ELISION = /[‘’](?:s|t|re|ll|ve|m|d)\b|\b[ldjcnsmtoLDJCNSMTO][‘’]/;
const MAY_FOLLOW = new Set('\u00a0»”“’–—…©®™·°ºª');
const MAY_PRECEDE = new Set('\u00a0№§–—…¿¡·•€£°º');
/** What closes a quotation that a sign opens. */
const CLOSERS: Readonly<Record<string, string>> = {
  '«': '»',
  '»': '«',
  '“': '”',
  '„': '“”',
  '‘': '’',
  '‚': '‘',
};

interface Model {
  readonly pairs: ReadonlyMap<string, number>;
  readonly letters: ReadonlySet<string>;
}

const models = new Map<string, Model>();
let pairsOf: ReadonlyMap<string, readonly string[]> | undefined;

/** How much a text, the cells of which were decoded, is like a language. */
function scoreAs(language: string, cells: readonly (readonly Character[])[]): number[] {
  const model = modelOf(language);
  return cells.map((cell) => scoreCell(cell, model));
}

/** A character of a cell, and what of it does not depend on a language. */
interface Character {
  /** In lower case; a blank for what is no letter. */
  readonly letter: string;
  readonly isHigh: boolean;
  readonly isLatin: boolean;
  /** What it adds in any language. */
  readonly score: number;
}

/** The characters of a decoded cell, with a border at either end. */
function charactersOf(text: string): Character[] {
  const chars = Array.from(text);
  const border = { letter: ' ', isHigh: false, isLatin: false, score: 0 };
  return [border, ...chars.map((_, at) => characterAt(chars, at)), border];
}

function characterAt(chars: readonly string[], at: number): Character {
  const char = chars[at] ?? '';
  const isHigh = char > '\x7f';
  if (!LETTERS.test(char))
    return { letter: ' ', isHigh, isLatin: false, score: isHigh ? signScore(chars, at) : 0 };
  const letter = char.toLowerCase().charAt(0);
  // An accent that stands for itself belongs to the letter before.
  const isLatin = LATIN.test(INHERITED.test(char) ? (chars[at - 1] ?? '') : char);
  return { letter, isHigh, isLatin, score: caseScore(chars, at) };
}

function signScore(chars: readonly string[], at: number): number {
  const char = chars[at] ?? '';
  if (char === '\ufffd') return UNASSIGNED;
  if (CONTROLS.test(char)) return CONTROL;
  const isBehind = LETTERS.test(chars[at - 1] ?? '');
  const isBefore = LETTERS.test(chars[at + 1] ?? '');
  if (isBehind && isBefore && APOSTROPHES.has(char))
    return ELISION.test(chars.slice(Math.max(0, at - 2), at + 4).join('')) ? ELIDED : 0;
  if (isBehind && isBefore) return SIGN_INSIDE;
  const isUsual = USUAL_SIGNS.has(char);
  if ((isBehind && !MAY_FOLLOW.has(char)) || (isBefore && !mayPrecede(chars, at)))
    return isUsual ? SIGN_BESIDE : SIGN_INSIDE;
  return isUsual ? USUAL_SIGN : RARE_SIGN;
}

/** Whether a sign may stand before a word: some may, and quotation marks that are closed. */
function mayPrecede(chars: readonly string[], at: number): boolean {
  const char = chars[at] ?? '';
  const closers = CLOSERS[char];
  return closers === undefined
    ? MAY_PRECEDE.has(char)
    : chars.slice(at + 1).some((later) => closers.includes(later));
}

/** Of a capital behind a small letter, where one of the two is beyond ASCII. */
function caseScore(chars: readonly string[], at: number): number {
  const [char = '', before = '', second = ''] = [chars[at], chars[at - 1], chars[at - 2]];
  if (char <= '\x7f' && before <= '\x7f' && second <= '\x7f') return 0;
  if (UPPER.test(char) && LOWER.test(before)) return CAPITAL_INSIDE;
  if (!LOWER.test(char) || !UPPER.test(before) || !UPPER.test(second)) return 0;
  return LETTERS.test(chars[at + 1] ?? '') ? CAPITAL_INSIDE : SMALL_AT_END;
}

function scoreCell(cell: readonly Character[], { pairs, letters }: Model): number {
  let score = 0;
  for (let at = 1; at < cell.length; at++) {
    const [before, now] = [cell[at - 1], cell[at]];
    if (!before || !now) continue;
    score += now.score;
    const highLetters = Number(isHighLetter(before)) + Number(isHighLetter(now));
    if (highLetters === 0) continue;
    if (before.letter !== ' ' && now.letter !== ' ' && before.isLatin !== now.isLatin) {
      score += MIXED;
      continue;
    }
    const seen = pairs.get(before.letter + now.letter);
    if (isAlone(cell, at)) score += ALONE;
    else if (seen !== undefined) score += seen;
    else
      score += isForeign(before, letters) || isForeign(now, letters) ? FOREIGN_LETTER / 2 : UNUSUAL;
  }
  return score;
}

/** Whether a pair is one side of a single letter, which any byte may be. */
function isAlone(cell: readonly Character[], at: number): boolean {
  const single = cell[at]?.letter === ' ' ? at - 1 : at;
  return cell[single - 1]?.letter === ' ' && cell[single + 1]?.letter === ' ';
}

function isHighLetter({ isHigh, letter }: Character): boolean {
  return isHigh && letter !== ' ';
}

function isForeign(character: Character, letters: ReadonlySet<string>): boolean {
  return isHighLetter(character) && !letters.has(character.letter);
}

function modelOf(language: string): Model {
  const known = models.get(language);
  if (known) return known;
  const pairs = new Map<string, number>();
  const letters = new Set<string>();
  const groups = (pairsOf ??= readPairs()).get(language);
  if (!groups) throw new Error(`No letter pairs of ${language} are known.`);
  groups.forEach((group, rank) => {
    const score = SEEN[rank] ?? 0;
    for (let at = 0; at + 1 < group.length; at += 2) {
      pairs.set(group.slice(at, at + 2), score);
      letters.add(group.charAt(at)).add(group.charAt(at + 1));
    }
  });
  const model = { pairs, letters };
  models.set(language, model);
  return model;
}

/** Frequent, usual and seen pairs of each language. */
function readPairs(): Map<string, readonly string[]> {
  const text = readFileSync(new URL('./data/letter-pairs.tsv', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    rows.map((line) => {
      const [language = '', ...groups] = line.split('\t');
      return [language, groups];
    }),
  );
}
