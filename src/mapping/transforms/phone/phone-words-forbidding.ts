import type { Words } from './phone-words.js';

/*
 * Words that say of a number that nobody may call it, by language, with `|` between them, as those of labels are. `word*`
 * is all words that begin so; of several words with `|` between them the last may go on, unless endings are given.
 */

/** What is not to be done with a number, in a text with a word of `NOT_WORDS`. */
export const CALL_WORDS: Words = {
  en: 'call(/s/ed/ing/er/ers/back/backs)|contact(/s/ed/ing)|ring(/s/ing)|phone(/s/d)|phoning|dial(/s/ed/ing/led/ling)|disturb(/s/ed/ing)|telephone(/s/d)|telephoning|coldcall*|robocall*|telemarket*|solicit(/ing/ation/ations)|callable|contactable|dialable',
  ru: 'звон*|позвон*|перезван*|перезвон*|беспоко*|тревож*|обзван*|обзвон*|прозван*|прозвон*|названив*|контакт*|связыв*|тревог*|набира*|набери*|набрать|zvoni(/t/te)|zvonk(i/ov)|pozvon*|perezvan*|bespoko*',
  uk: 'дзвон*|дзвін*|телефон*|турбу*|контакт*|звязув*|передзвон*|набира*|набирати',
  kk: 'қоңырау*|хабарлас*|звон*',
  be: 'тэлефан*|званіц*|званк*|турбав*',
  bg: 'обажда*|обади*|звън*|безпоко*|търсете|търси|търсят',
  sr: 'zvat(/i)|zovi(/te)|nazvat(/i)|naziva(j/jte/ti/t)|nazovi*|poziv(/i/a/e/ati)|uznemir*|зват(/и)|зови(/те)|назива(ј/јте/ти)|назови*|позив(/и/а/е/ати)|узнемир*|nazivanj*',
  sl: 'klic(i/ati/ite/ev)|poklic*',
  de: 'anruf*|anzuruf*|angeruf*|kontakt*|telefon*|stor(en/t/ung/ungen/end)|werbung*|ruf*|anklingel*|durchklingel*|belastig*|callen|werbeanruf*|stoer*|belaestig*|anrufbar*',
  fr: 'appel*|contact*|rappel*|telephon*|derang*|joindre*|demarch*|sollicit*|dappel*|lappel*',
  es: 'llam*|contact*|telefon*|molest*|marcar*|importun*|disturb*',
  pt: 'lig(a/ar/ue/uem/uei/ando/acao/acoes)|contat*|contact*|cham(a/ar/e/em/ada/adas)|incomod*|perturb*|telefon*|telefonem*',
  it: 'chiam*|contatt*|telefon*|disturb*|squill*',
  ro: 'sun(a/ati/at/am)|apel(a/am/ati/are/ul/uri/urile)|apelez*|telefon*|contact*|deranj*',
  pl: 'dzwon*|zadzwon*|kontakt*|telefon*|przeszkadz*|polacz(en/enia)|niepoko*',
  cs: 'vol(at/ej/ejte/aj/ajte/ani/ania)|zavol*|hovor*|kontakt*|obtezov*|obtazov*',
  hu: 'kapcsolat(/ot/ba)|hiv(ni/ja/jon/jak/as/ast/hato/juk)|hivas*|felhiv*|telefonal*|zavar(ni/ja/jak/juk)|keres(ni/se/sek)',
  fi: 'soit(a/taa/tele/toja/ella/tella/tajia)|soitto*|soittam*|puhelu*|yhteydenot*|hairi(ta/tse)|soite(ta/taan/ttava/tta)|yhteytta',
  et: 'helista*|koned(/e)|tulita*',
  lv: 'zvan(i/it/iet/us/u)|sazin*|trauc*',
  lt: 'skambin*|skambuc*|trukdy*',
  nl: 'bel(/len/t)|gebeld|opbel*|opgebeld|terugbel*|telefoner*|telefoneer*|telefoon*|contact*|benader*|oproep*',
  nordic:
    'ring(/e/a/er/es/as/t/s/ing/ning)|uppring*|oppring*|opring*|kontakt*|samtal*|opkald*|oppkall*|anrop*|telefon*|forstyrr*',
  tr: 'ara(/ma/mak/malar/nma/nmak/yin/yiniz)|arama*|aranma*|rahatsiz*|telefon*',
  az: 'zəng*|telefon*',
  ar: 'اتصال*|الاتصال*|تتصل*|للاتصال*|بالاتصال*|إزعاج*|ازعاج*|اتصل*|مكالم*|المكالم*',
  fa: 'تماس*|زنگ*',
  he: 'להתקשר*|תתקשר*|מתקשר*|לחייג*|לצלצל*|להטריד*|שיחות*|לשיחות|לשיחה|השיחות|בשיחות|בשיחה|שיחה|לחזור|תחזרו|בטלפון',
  el: 'κλησ*|τηλεφων*|ενοχλ*|επικοινων*|καλειτε|καλεσ*',
  vi: 'goi*|lien*',
  hi: 'कॉल*|कल*|फोन*|फन*|सपरक*|सम्पर्क*',
  ca: 'truc(ar/ueu/ades/ada/at)|truqu*|contact*|molest*|telefon*',
};

/** Of these, what is counted: behind `no sms,` it goes on with what is denied. */
export const CALL_NOUNS: Words = {
  en: 'calls|phonecalls|callbacks|contact',
  ru: 'звонки|звонков|звонок|звонка|звонкам|контакты|контактов|контакта',
  uk: 'дзвінки|дзвінків|дзвінка|контактів',
  de: 'anruf|anrufe|telefonate|telefonanrufe|werbung|kontakt|kontakte',
  fr: 'appel|appels|demarchage|contact',
  es: 'llamada|llamadas|contacto',
  pt: 'ligacao|ligacoes|chamada|chamadas|contato|contacto',
  it: 'chiamata|chiamate|telefonate|contatti',
  pl: 'telefonow|telefony|polaczen|kontaktu|kontakt',
  others:
    'telefoon|telefoontjes|samtal|opkald|anrop|puheluita|soittoja|hivas|hivast|hovory|apeluri',
};

/** What denies or prohibits, wherever it stands beside the number. */
export const NOT_WORDS: Words = {
  en: 'not|dont|donot|no|never|stop|without|cannot|cant|forbidden|doesnt|wont|mustnt|shouldnt|shant|didnt|isnt|neither|prohibited|banned|disallowed|dnt|cease|nto',
  ru: 'не|нет|никогда|без|нельзя|стоп|хватит|незачем|запре(т/ты/та/тил/тила/тили/тите)|запрещ*|ne|nelzya|zapresh*|запр',
  uk: 'не|ні|ніколи|без|заборон*|неможна',
  kk: 'болмайды|шалма|шалмаңыз|хабарласпа|хабарласпаңыз|тыйым',
  be: 'не|ніколі|нельга|забарон*',
  bg: 'не|никога|без|забран*',
  sr: 'ne|nikad|nikada|bez|zabranj*|nemoj|nemojte|не|никад|забрањ*|немој|немојте',
  sl: 'ne|nikoli|brez|prepoved*',
  de: 'nicht|kein|keine|keinen|keinerlei|nie|niemals|ohne|verboten|verbotene|nein|untersagt|untersagte|unerwunscht*|unzulassig|verbiete*|unerwuenscht*|unzulaessig|nich|ncht|nciht|nihct',
  fr: 'ne|pas|jamais|aucun|aucune|sans|interdi(t/te/ts/tes/ction)|proscrit|proscrits|prohibe*|non|stop|arrete|arretez',
  es: 'no|nunca|sin|jamas|ningun|ninguna|prohibi*|vetad(o/a/os/as)|tampoco|basta|parad|paren|dejen',
  pt: 'nao|nunca|sem|jamais|nenhuma|proibi*|vedad(o/a/os/as)|non|pare|parem|basta|chega|nada',
  it: 'non|mai|nessun|nessuna|senza|vietat*|proibit*|divieto|niente|no|basta|smett*|stop',
  ro: 'nu|niciodata|interzis*|interzic*',
  pl: 'nie|nigdy|bez|zakaz|zakazane|zakazany|zabroni*|zabrania*|zadnych',
  cs: 'ne|nikdy|bez|nechce|nechci|nepreje|nepreju|neprejem|nesmi|nesmie|nezelam|nezela|nezelaji|zakaz*|zadne|zadny|ziadne|nepraje|neprajeme|nezeliam',
  hu: 'ne|nem|soha|tilos|tilt(ja/ott/as)|megtilt*|nelkul',
  fi: 'ei|alkaa|koskaan|kielletty|kielto|kieltanyt|kielta*',
  et: 'ei|mitte|keelatud',
  lv: 'ne|nedrikst|nevajag|aizlieg*',
  lt: 'ne|nereikia|negalima|nenori|draud*',
  nl: 'niet|geen|nooit|zonder|verboden|verbod|nie|nee',
  nordic: 'inte|ikke|ej|aldrig|aldri|nej|utan|uten|forbud|forbudt|forbjud*|ikkje|inget|ingen',
  tr: 'degil|istemiyor|istemem|istemez|istenmiyor|istemiyorum|yok|etmeyin|yasak*|edilmesin|edilmez|hayir|asla',
  az: 'yox|olmaz|istəmir|qadağan',
  ar: 'لا|عدم|ممنوع|بدون|يمنع|محظور|ابدا|بلا',
  fa: 'ممنوع|نباید|بدون|نمیخواهد|هرگز|نه',
  he: 'לא|אין|אל|אסור|בלי|ללא|לעולם|אסורות|אסורים|אסורה',
  el: 'μη|μην|όχι|δεν|ποτε|χωρις|απαγορευ*',
  vi: 'khong|đung|cam|dung|chang|ko|khg|dung',
  hi: 'न|नही|मत|ना|बद',
  ca: 'no|mai|cap|sense|prohibi*',
};

/** Of these, what denies right what stands behind it: `звонки без смс`. */
export const WITHOUT_WORDS: Words = {
  any: 'without|без|ohne|kein|keine|keinen|sans|sin|sem|senza|bez|geen|zonder|utan|uten|uden|fara|nelkul|brez|χωρις|بدون|ללא|בלי',
};

/** Of these, what stands behind what it denies: `ara, mesaj yok`. */
export const AFTERWARDS_WORDS: Words = {
  any: 'yok|degil|istemiyor|istemez|yox|olmaz|नही|मत|нет|немає',
};

/** What begins a condition: what it denies is none of calls. */
export const IF_WORDS: Words = {
  any: 'if|falls|wenn|sofern|если|якщо|ако|si|se|jesli|jezeli|als|indien|om|hvis|dersom|jos|ha|daca|pokud|kdyz|ak|eger|إذا|اذا|اگر|אם|εαν|αν|jika|kalau|neu',
};

/** What begins a part of a text of its own. */
export const BUT_WORDS: Words = {
  any: 'but|only|just|instead|но|только|лишь|але|тільки|лише|aber|sondern|nur|lieber|mais|seulement|pero|solo|sino|mas|apenas|ma|soltanto|ale|tylko|maar|alleen|men|bara|kun|pouze|ama|sadece|csak|vain|doar|samo|само',
};

/** What is denied of calls that were tried, or are too early: that forbids none. */
export const REACHED_WORDS: Words = {
  en: 'answer(/s/ed/ing)|reply|replies|response|reached|reachable|available|now|today|yet|time|rush|hurry|problem(/s)|charge|pickup|hear(/s)|hearing',
  ru: 'отвеча*|ответ*|берет|брал|брала|взял|взяла|дозвон*|доступ*|слыш*|услыш*|времени|сейчас|сегодня|проблем',
  uk: 'відповід*|бере|брав|часу|зараз|доступ*',
  de: 'erreicht|erreichbar|rangegangen|abgenommen|abgehoben|antwort|zeit|jetzt|heute|problem(/e)|eile',
  fr: 'repond*|repons*|joignable|decroch*|temps|maintenant|disponible|probleme',
  es: 'contest*|respond*|respuesta|tiempo|ahora|hoy|disponible|problema',
  pt: 'atend*|respond*|resposta|tempo|agora|hoje|disponivel|problema',
  it: 'rispond*|rispost*|tempo|adesso|oggi|disponibile|problema|raggiungibile',
  pl: 'odbier*|odebra*|odpowiad*|czasu|teraz|dzisiaj|problemu',
  tr: 'cevap*|yanit*|musait|ulas*',
  nl: 'gehoor|opgenomen|bereikt|bereikbaar|antwoord|tijd|probleem',
  nordic: 'svar(/ar/er/ade/te)|tid',
  ar: 'يرد|رد|جواب|مشغول',
  he: 'עונה|ענה|ענתה|עונים|זמין|זמינה|עכשיו',
};

/** What may be denied while calls are not: other ways to reach someone. */
export const APP_WORDS: Words = {
  any: 'sms|smsen|mms|whatsapp|whatsap|watsapp|whats|wapp|wa|viber|telegram|signal|imo|skype|messenger|facebook|fb|instagram|insta|chat|wechat|email|emails|mail|mails|fax|chats|smses|kakao|zalo|дм|dm|dms',
  en: 'text(/s/ing/ed)|message(/s)|messages|messaging|msg|msgs|write|writing|voicemail|voicemails|letter|letters|post|send|sending|written|doorbell(/s)|bell',
  ru: 'смс*|сообщен*|ватсап*|вотсап*|вацап*|вайбер*|телеграм*|мессендж*|писать|пишите|писем|письма|факс*|чат|чатов|имейл*|мейл|мыло|почт*|эсэмэс*|вк|слать|присылать|присылайте|отправлять|отправляйте|шлите|письменн*|домофон*|дверь|переписк*',
  uk: 'смс*|повідомлен*|писати|пишіть|ватсап*|вайбер*|телеграм*|пошт*|лист*',
  de: 'schreiben|anschreiben|schreibt|nachricht*|texten|mailen|mailbox|briefe|post|senden|schicken|schriftlich|klingel*|turklingel|gegensprechanlage|sprechanlage',
  fr: 'ecrire|ecrivez|message*|texto*|courriel*|courrier*|texter|envoyer|envoyez|ecrit|sonnette|interphone|sonner|sonnez',
  es: 'escrib*|mensaje*|wasap*|guasap*|correo*|wsp|wpp|whatsap*|mandar|mensajear|enviar|envien|envie|timbre|texto|textos',
  pt: 'escrev*|mensag*|zap|zapzap|wpp|torpedo*|enviar|mandar|envie|campainha|interfone|texto',
  it: 'scriv*|messagg*|posta|inviare|mandare|campanello|citofono|iscritto',
  pl: 'pisac|pisz|piszcie|wiadomosci|smsow|maili|esemes*|smsy|maile|wysylac|wysylaj|dzwonek|domofon*|pisemn*',
  cs: 'psat|piste|zprav*|sprav*|pisat|esemes*|maily|smsky|smsek|pisemn*|zvonek',
  hu: 'uzenet*|irni|irjon|emailt|irasban|csengo',
  ro: 'mesaj*|scrie|scrieti',
  fi: 'viest*|tekstiviest*|sahkopost*|tekstari*|kirjoit*|kirjalli*|ovikello*',
  nl: 'appen|appjes|app|bericht*|schrijven|mailen|smsjes|smsje|schriftelijk|deurbel',
  nordic:
    'meddeland*|melding*|besked*|skriv*|mejl*|mejla|epost|skriftlig*|dorrklock*|dørklokk*|ringklock*',
  sr: 'poruk*|pisati|pisi|поруке|порука|писати',
  bg: 'съобщен*|пиши|пишете|вайбър',
  tr: 'mesaj*|yazma*|yazin|eposta|posta|yazili|yazismak',
  el: 'μηνυμα*|μηνυματα|βαιμπερ',
  ar: 'واتس|واتساب|الواتساب|واتسب|رسائل|رساله|الرسائل|تيليجرام|ايميل|فايبر',
  fa: 'پیامک|پیام|واتساپ|تلگرام|اسمس|ایمیل',
  he: 'סמס|וואטסאפ|ווטסאפ|הודעות|הודעה|מייל|מיילים|טלגרם',
  vi: 'nhan|tin|zalo',
  hi: 'वहटसऐप|वहटसएप|मसज|एसएमएस|सदश',
};

/** What is said of calls in the same part of a text by those who do not want them. */
export const REFUSING_WORDS: Words = {
  en: 'avoid(/s/ed/ing)|refus(e/es/ed/ing/al)|declin(e/es/ed/ing)|reject(/s/ed/ing)|unwanted|unwelcome|undesired|barred|blocked|objects|objected|objecting|objection|objections|opposed|cease|quit|revoked|withdrew|dislikes|hates|prohibit(/s/ion)|forbid(/s)|against|barring|withdrawn|revoke|unwilling',
  ru: 'отказ*|отклон*|избег*|против|нежелат*|возража*|прекрат*|заблок*|отмен*|исключит(ь/е)|ненавид*|otkaz*|перестан*|отозва*|отзыв|отзыва*',
  uk: 'відмов*|відхил*|уникати|уникайте|уникає|проти|небажан*|припин*',
  bg: 'отказ*|избяг*|нежелан*|против',
  sr: 'odbij*|odbio|odbila|izbegav*|izbjegav*|nezeljen*|protiv|одбиј*|одбио|одбила|избегав*',
  sl: 'zavrac*|zavrn*|nezelen*|proti',
  de: 'verbiet*|verbot*|verweiger*|ablehn*|abgelehnt|lehnt|widerspr*|gesperrt|sperre|vermeid*|unterlass*|stopp|stoppen|stoppt|unwillkommen|ungewunscht|ungewollt*|entzogen|widerruf*|blockiert|meid(et/en)|aufhor*|zuruckgezogen|zuruckgenommen',
  fr: 'refus*|evit(er/ez/ons)|indesir*|oppos*|cess(er/ez)|rejet*|bloque*|declin*|arret(er/ez)|revoqu*|retire(/e)',
  es: 'rechaz*|evit(ar/e/en/ando)|rehus*|deneg*|neg(ado/ada/o/a)|indesead*|bloquead*|cancel(ar/ado/ada/acion)|declin*|opone|desautoriz*|niega*|niego|revoc*',
  pt: 'recus*|evit(ar/e/em)|rejeit*|indesejad*|bloquead*|neg(ado/ada/a/ou)|dispens*|revog*|cancelad(o/a)',
  it: 'rifiut*|evit(are/ate/iamo)|indesiderat*|respin*|bloccat*|oppost*|opposizione|sgradit*|negat(o/a)|revoc*|ritirat*',
  ro: 'refuz*|evitati|nedorit*|resping*|blocat*',
  pl: 'odmaw*|odmow*|odrzuc*|unik(ac/aj/ajcie/a)|niechcian*|niepozadan*|sprzeciw*|zablokowan*|przeciw*|przesta(n/ncie/c)|cofn*|wycofa*',
  cs: 'odmit*|odmiet*|vyhyb*|nevyzad*|neziadu*|nezadouc*|proti|blokov*|odvol(al/ala/ano/ane/any)|zrusen(/o/y)',
  hu: 'elutasit*|visszautasit*|kerulje|kerulni|keruljek|keruli|letilt*|nemkivanatos|mellozz*',
  fi: 'kieltayty*|valttak*|torju*|estetty|vastusta*',
  et: 'keeldu*|soovimat*',
  lt: 'atsisak*|vengti|nepageidauj*',
  lv: 'atteic*|atteik*|izvair*|nevelam*',
  nl: 'weigeren|weigering|geweigerd(/e)|vermijd*|ongewenst*|afgewezen|geblokkeerd|afgemeld|ingetrokken',
  nordic:
    'nekter|nektet|vagra(r/t/de)|undvik*|undga*|unnga*|avvis*|afvis*|oonsk*|uonsk*|uønsk*|avbojt|avbojer|sparrad|sperret|frabed*|frabe|reservert|reserverat|reserveret|blokeret|undanbed*|nekar|nekad|nekat|nægte*|naegte*|aterkall*|tilbakekalt|tilbagekaldt',
  tr: 'redded*|reddett*|reddi|kacin(iyor/ir/mak)|istenmeyen|engellenmis|engellendi|iptal',
  az: 'imtina|rədd',
  ar: 'يرفض|رفض|ترفض|مرفوض*|تجنب|رافض',
  fa: 'خودداری|امتناع|رد',
  he: 'מסרב*|סירב*|סירוב|להימנע|הימנע*|מתנגד*',
  el: 'αρνειται|αρνηθηκε|αποφυγ*|αποφευγ*|ανεπιθυμητ*',
  hi: 'वर्जित|इनकार',
};

/** What is said of a number, right before or behind a word for one, that reaches someone else or no one. */
export const WRONG_WORDS: Words = {
  en: 'wrong|bad|incorrect|invalid|false|fake|dead|nonexistent|mistaken|erroneous|inactive|unassigned|bogus',
  ru: 'неправильн*|неверн*|ошибочн*|чуж(ой/ие/ого)|недействит*|несуществ*|левый|нерабочий|неактивн*|ошибк*|ошиб(ся/лись/лась)|некорректн*',
  uk: 'неправильн*|невірн*|помилк*|хибн*|чуж(ий/ого)|недійсн*|неактивн*|неіснуюч*',
  be: 'няправільн*|памылков*|чуж(ы)',
  kk: 'қате|жарамсыз',
  bg: 'грешен|грешка|невалиден|неверен|чужд',
  sr: 'pogres*|kriv(i/o/a)|neispravan|nevazec*|netocan|netacan|погреш*|неисправан',
  sl: 'napac*|neveljav*',
  de: 'falsch*|ungultig*|inkorrekt*|fehlerhaft*|verkehrt*|unrichtig*|fremde|ungueltig*',
  fr: 'faux|fausse|mauvais*|errone*|incorrect*|invalide*',
  es: 'equivocad*|errone*|incorrect*|invalid*|erradu*|errad(o/a)|inexistente|falso',
  pt: 'errad(o/a)|incorret*|invalid*|inexistente|trocado|falso',
  it: 'errat(o/a)|sbagliat*|scorrett*|inesistente|invalido',
  ro: 'gresit*|incorect*|invalid*|eronat*',
  pl: 'zly|bledn*|niepoprawn*|nieprawidlow*|nieaktual*|pomylk*|niewlasciw*|nieaktywn*|niewazn*',
  cs: 'spatn*|chybn*|nespravn*|neplatn*|zle|neexistuj*|neaktivn*',
  hu: 'rossz|teves|hibas|helytelen|ervenytelen',
  fi: 'vaara|virheelli*|vanhentunut',
  et: 'vale|kehtetu|vigane',
  lv: 'nepareiz*|nederig*|kludain*',
  lt: 'neteising*|klaiding*|negalioj*|blogas',
  nl: 'verkeerd*|foutie*|fout|onjuist*|ongeldig*',
  nordic: 'fel|feil|forkert*|ogiltig*|ugyldig*|felaktig*|galt',
  tr: 'yanlis|hatali|gecersiz',
  az: 'yanlış|səhv|etibarsız',
  ar: 'خاطئ|خطا|غلط',
  fa: 'اشتباه|غلط|نادرست',
  he: 'שגוי|לאנכון|מוטעה',
  el: 'λαθος|ακυρο*|λανθασμεν*|ανυπαρκτ*',
  hi: 'गलत',
  id: 'salah|keliru',
};

/** What such a word is said of, beside words that stand before the digits of a number. */
export const WRONG_THINGS: Words = {
  numbers:
    'number|numbers|phonenumber|telephonenumber|номер|номера|номером|номере|номері|нумар|rufnummer|telefonnummer|handynummer|mobilnummer|telefonnr|nummern|numeris|numurs|numar|numarul|cislo|cisla|szam|telefonszam|telefonnumre|puhelinnumero|telefoonnummer|stevilka|broj|broja|број|броя|брой|αριθμος|αριθμο|nomor|nombor|нөмір|nömrə|شماره|מספר|hivoszam|br|νουμερο',
  phones:
    'phone|phones|telephone|tel|mobile|cell|cellphone|contact|whatsapp|telefon|telefoon|telefono|telefone|telefoni|handy|mobil|mobiel|movil|celular|cellulare|portable|gsm|телефон|телефона|тел|мобильный|мобильного|τηλεφωνο|टेलीफोन',
};

/** Of words for `wrong`, what is a name or a part of places as well: it is said of a number alone. */
export const WRONG_NAMES: Words = {
  any: 'bad|dead|false|inactive|feil|fel|fout|galt|vale|rossz|salah|zly|faux|falsch|fake|krivo|kriva|krivi',
};

/** What is not to be done with an address of e-mail, behind a word of `NOT_WORDS`. */
export const MAIL_WORDS: Words = {
  en: 'mail|email|write|contact|spam|send',
  ru: 'пис|напис|пиш|почт|рассыл|слать|присыл|отправл|контакт',
  uk: 'пис|напис|пош|розсил|надсил|контакт',
  de: 'schreib|anschreib|anzuschreib|kontakt|senden|werbung',
  fr: 'ecri|contact|courriel|envoy',
  es: 'escrib|contact|correo|envi|mand',
  pt: 'escrev|contat|contact|envi|mand',
  it: 'scriv|contatt|invi|mand',
  pl: 'pis|pisz|kontakt|wysyl|mail',
  tr: 'yaz|gonder|eposta',
  others: 'schrijf|skriv|kirjoit|napis|posil|scri',
};

/** What forbids calls by itself, or says that the number reaches no one. Several words: the last may go on. */
export const FORBIDDEN_PHRASES: Words = {
  en: 'dnc|d n c|donotcall|opt out|optout|opted out|unsubscribe(/d)|wrong number|disconnected|out of service|do not use|deceased|not in service|not in use|invalid number|blacklist(/ed)|black list|on tps|tps registered|sms only|only sms|text only|texts only|whatsapp only|only whatsapp|dncr|dncl|ndnc|ndncr|blocklist(/ed)|unsub(/bed)|no longer in service|no longer in use|no longer valid|no longer exist|does not exist|doesnt exist|not valid|not assigned|unallocated|number not working|phone not working|line not working|not the right number|not my number|not his number|not her number|tps listed|on ctps|on dnc|on dnd|wrong person|not a valid|not correct|not the correct|bad phone|bad contact|bad mobile|d o n o t|n o c a l l|s t o p()|no longer active|no consent|opted out|do not cal|dont cal|do nto call|do nt call|do no call|donot cal|dont clal|do not contct|not callable|passed away|passed on()|died|deceas*|death of|death notif|death cert|death report|death in|due to death|late husband|cease and desist|line dead|dead line|line is dead|dead number|wrong party|wrong contact|asked to be removed|asks to be removed|asked to remove|wants to be removed|wants removal|requested removal|requests removal|or at all|or ever()|ever again|belongs to someone|belongs to somebody|belongs to another|belongs to other|someone elses|somebody elses|not the owner|number changed|number has changed|no such person|not this person|different person|remove from call|remove from calling|remove from list|remove from the list|remove from your|remove from all|remove me|remove us|remove my|remove this number|remove number|take me off|take us off|take off your list|take off the list|off your list|leave me alone|leave us alone|leave him alone|leave her alone|leave me be|delete my number|delete this number|permanently unavailable|permanently unreachable|permanently disconnected|robinson list|telephone preference service|call mat kar|phone mat kar|mat karo|mat karna|mat karein|call na kar|phone na kar|call nahi|phone nahi|changed number|changed his number|changed her number|changed their number|changed phone|change of number|number has changed|number was changed|changed the number|old number|former number|previous number|got a new number|has a new number|has new number|new number unknown|number deleted|number discontinued|not the person',
  ru: 'чужой номер|не хочет общат|не желает общат|не хочет разговар|не желает разговар|неверный номер|номер неверный|ошибочный номер|отказ от звонк|стоп лист|стоплист(/е)|черный список|не обслуживается|не тот номер|номер не тот|ошибка номер|ошиблись номер|не существует|отписал(ся/ась/ись/а/и/)|заблокирован(/а/о/ы/ный/ная/ное/ные)|умер(/ла/ло/ли/ший/шая/шие)|только смс|только sms|только whatsapp|только ватсап|черном списке|в чс()|стоп листе|номер не работает|телефон не работает|номер отключен|телефон отключен|не действует|попали не туда|не туда попали|н е з в о н|с т о п()|не тот человек|не тот абонент|номер не верн|номер не правильн|не правильный номер|не правильно номер|неправ номер|скончал(ся/ась/ись/)|погиб(/ла/ли/ший/шая/)|покойн*|умерш*|смерт(ь/и)|номер не его|номер не ее|номер не мой|не его номер|не ее номер|не мой номер|это не его|принадлежит друго|сменил номер|сменила номер|номер сменил|удалите номер|удалить номер|удалите меня|уберите номер|уберите меня|убрать из|уберите из|удалить из|удалите из|исключите из|исключить из|вычеркн*|отстаньте|оставьте в покое|недоступен навсегда|номер навсегда недоступ|больше не доступен|больше недоступен|не зван|не звн|не звои|не званит|писать только|пишите только|поменял номер|поменяла номер|номер поменял|номер изменил|номер сменил|сменился номер|изменился номер|изменил номер|изменила номер|смена номера|старый номер|прежний номер|бывший номер|неактуальный номер|номер неактуал|номер не актуал|nomer ne tot',
  uk: 'чужий номер|невірний номер|номер невірний|чорний список|не обслуговується|не існує|помер(/ла/ло/ли/лий)|тільки смс|тільки sms|лише смс|чорному списку|номер не працює|телефон не працює|не той номер|номер не той|загину(в/ла)|покійн*|номер не його|номер не її|видаліть номер|приберіть з|дайте спокій|змінив номер|змінила номер|номер змін|поміняв номер|поміняла номер|зміна номера|старий номер|колишній номер|неактуальний номер',
  be: 'не тэлефан|не званіц|памылковы нумар|памёр|памерла|змяніў нумар|змяніла нумар|стары нумар',
  kk: 'қоңырау шалма|хабарласпа*|қате нөмір|мазалама*|тек смс',
  de: 'anrufverbot(/e)|anrufsperre(/n)|gesperrt(/e/er/es)|sperrvermerk(/e)|werbesperre(/n)|robinsonliste(/n)|robinson liste|falsche nummer|nummer falsch|nicht vergeben|kontaktsperre(/n)|anrufe unerwunscht|anruf unerwunscht|keine werbe|werbewiderspruch(/e)|widerspruch eingelegt|widerspruch liegt vor|hat widersprochen|falscher ansprechpartner|falscher kontakt|falsch verbunden|falscher teilnehmer|verstorben(/e/er/en)|nur sms|nur whatsapp|schwarze liste|schwarzen liste|blackliste(/n)|nicht mehr gultig|nicht gultig|ausser betrieb|kein anschluss|nicht mehr aktuell|nicht die richtige nummer|nicht existent|existiert nicht|kontaktverbot(/e)|nummer stimmt nicht|nummer nicht korrekt|falsche person|gestorben|todesfall|lasst mich in ruhe|lassen sie mich in ruhe|in ruhe lassen|von der liste streichen|aus der liste streichen|aus der liste loschen|von der liste loschen|von der liste nehmen|nummer loschen|daten loschen|gehort jemand|gehort einer ander|gehort einem ander|gehort nicht|nicht seine nummer|nicht ihre nummer|nummer gehort|dauerhaft nicht erreichbar|robinsonlist*|ist tot()|nicht tel()|nicht anruef|nicht anufen|nicht anurf|nummer geandert|nummer hat sich geandert|nummer gewechselt|hat neue nummer|hat eine neue nummer|neue nummer unbekannt|nummer veraltet|alte nummer|alte rufnummer|fruhere nummer|ehemalige nummer|nummer geaendert|nummer geloscht|nummer tot|nummer abgemeldet',
  fr: 'bloctel|liste rouge|faux numero|mauvais numero|numero errone|pas dappel|plus attribue|non attribue|decede(/e/s/es)|sms uniquement|uniquement sms|liste noire|hors service|plus en service|existe plus|existe pas|plus valable|plus valide|non valable|non valide|pas le bon numero|en opposition|liste opposition|liste oppositions|liste d opposition|droit d opposition|fait opposition|deces|defunt(/e/s)|est mort|est morte|ne pas tel()|ne plus tel()|desinscri*|desabonn*|laissez moi tranquille|laissez la tranquille|laissez le tranquille|retirez moi|retirer de la liste|retire de la liste|rayer de la liste|supprimez mon|supprimez moi|supprimer de la liste|enlevez moi|appartient a quelqu|appartient a une autre|pas son numero|pas sa ligne|numero d une autre|plus son numero|pacitel|change de numero|changement de numero|numero change|numero a change|ancien numero|ancienne ligne|ex numero|numero supprime|numero resilie',
  es: 'lista robinson|numero equivocado|numero erroneo|no existe|fuera de servicio|fallecid(o/a/os/as)|solo sms|solo whatsapp|lista negra|dado de baja|dada de baja|dar de baja|solicita baja|solicito baja|solicita la baja|pide baja|pidio baja|no valido|no vigente|no es el numero|no es su numero|evita llama|nada de llamad|persona equivocada|fallecio|fallecieron|murio|difunt(o/a)|defuncion|dejenme en paz|dejeme en paz|dejen en paz|quitenme|borrar de la lista|borrenme|eliminar de la lista|quitar de la lista|sacar de la lista|saquenme|borren mi|eliminen mi|es de otra persona|de otra persona|pertenece a otr|no le pertenece|deje de llam|dejen de llam|dejar de llam|deja de llam|no es de el|no es de ella|numero cambiado|cambio de numero|cambio su numero|cambio el numero|ha cambiado de numero|cambiado de numero|ha cambiado el numero|cambie de numero|numero antiguo|antiguo numero|numero viejo|numero anterior',
  pt: 'numero errado|lista negra|nao perturbe|nao existe|inexistente|falecid(o/a/os/as)|so sms|somente whatsapp|so whatsapp|fora de servico|desativad(o/a)|nao e o numero|nao e dele|nao e dela|numero nao existe|faleceu|morreu|obito|engano|pertence a outr|de outra pessoa|nao pertence|me deixe em paz|me deixem em paz|deixe me em paz|deixem me em paz|remover da lista|retirar da lista|retire da lista|tirar da lista|tire meu|me tire da|mudou de numero|pare de lig|parem de lig|nao me ligue|mudou o numero|mudou numero|trocou de numero|trocou o numero|trocou numero|numero mudou|numero trocado|numero antigo|antigo numero|mudanca de numero',
  it: 'registro opposizioni|opposizioni|numero errato|numero sbagliato|inesistente|non esiste|decedut(o/a/i/e)|solo sms|solo whatsapp|lista nera|fuori servizio|non in uso|non valido|numero disattivato|non piu attivo|numero non attivo|registro delle opposizioni|defunt(o/a)|e morto|e morta|decesso|lasciatemi in pace|lasciami in pace|cancellatemi|cancellare dalla lista|rimuovere dalla lista|rimuovetemi|togliere dalla lista|toglietemi|appartiene a un altr|appartiene ad altr|di un altra persona|non e il suo numero|ha cambiato numero|cambiato numero|numero cambiato|ha cambiato il numero|cambio numero|vecchio numero|numero vecchio|numero cessato',
  ro: 'numero gresit|numar gresit|decedat(/a/i)|doar sms|lista neagra|fara apel|fara telefo|nu exista|nu este numarul|a murit|a decedat|lasati ma in pace|stergeti numarul|scoateti ma|apartine altcuiva|a schimbat numarul|si a schimbat numarul|numar schimbat|numarul schimbat|numar vechi|vechiul numar',
  pl: 'zly numer|bledny numer|pomylka|sprzeciw(/u)|nie istnieje|nieaktualny|zmarl(/a/y/i/o)|tylko sms|czarna lista|czarnej liscie|numer nie dziala|nie ten numer|to nie ten numer|niewlasciwy numer|nie zyje|zgon|umarl(/a)|nalezy do inn|innej osoby|nie jego numer|nie jej numer|nie moj numer|numer zmieniony|dajcie mi spokoj|dajcie spokoj|prosze usunac|usunac z listy|usuncie|wypiszcie|wykreslic z listy|zmienil numer|zmienila numer|zmiana numeru|stary numer|poprzedni numer|dawny numer|numer nieaktual',
  cs: 'nevolat|nevolejte|nevolej|nekontakt*|nerusit|zakaz volani|spatne cislo|zemrel(/a/i/y/o)|jen sms|pouze sms|cerna listina|mimo provoz|neexistuj*|neni to jeho cislo|nezvon*|zemrel(/a)|umrel(/a)|mrtvy|mrtva|patri nekomu|patri niekomu|nechte me byt|dejte mi pokoj|vymazat ze seznamu|smazat cislo|odstranit ze seznamu|zmena cisla|zmenil cislo|zmenila cislo|cislo zmenen|stare cislo|puvodni cislo|zmenilo se cislo',
  sk: 'nevolajte|nevolaj|nerusit|zakaz volania|zle cislo|zomrel(/a/i/o)|len sms|iba sms|cierna listina|mimo prevadzk|nevolat',
  bg: 'не се обажда|не звън|не безпокойте|не търсете|грешен номер|починал(/а/и/ата/ият)|само смс|почина|умря|оставете ме|махнете номера|смени номер|сменил номер|сменен номер|номерът е смен|стар номер',
  sr: 'ne zvati|ne zovi|ne nazivati|ne kontaktira|ne uznemir|pogresan broj|не звати|не зови|не узнемир|погрешан број|samo sms|umro|umrla|preminu(o/la/li)|умро|умрла|премину(о/ла)|обришите број|ostavite me|izbrisite broj|skinite me|promenio broj|promenila broj|promijenio broj|promijenila broj|promenjen broj|broj promenjen|broj promijenjen|stari broj|променио број|стари број',
  sl: 'ne klic|napacna stevilka|samo sms|umrl(/a)|pokojni|pokojna|brisite stevilko|zamenjal stevilko|stara stevilka',
  sq: 'mos telefono|mos me telefono|numer i gabuar',
  el: 'μην καλ|μη καλ|μην τηλεφων|μην ενοχλ|λάθος αριθμός|απεβίωσε|μόνο sms|πέθανε|πεθαμεν*|αφήστε με ήσυχ|διαγράψτε|άλλαξε αριθμό|άλλαξε νούμερο|παλιός αριθμός|παλιό νούμερο',
  hu: 'ne hiv|rossz szam|teves szam|elhunyt(/ak)|meghalt(/ak)|csak sms|fekete lista|feketelista(/n)|hasznalaton kivul|nem letezo|halott|hagyjanak beken|hagyjon beken|torolje a szam|torolni a listarol|mas szama|nem az o szama|szama megvaltozott|megvaltozott a szam|szamot valtott|regi szam',
  fi: 'älä soita|ei saa soittaa|soittokielto|väärä numero|vain tekstiviesti|kuollut|musta lista|älä ota yhte|älä häirit|älä puhel|mustalla listalla|ei kaytossa|suoramarkkinointikielto|kuoli|edesmennyt|vainaja|puhelinmyyntikielto*|myyntikielto*|markkinointikielto*|poistakaa listalta|poistettava listalta|poista listalta|jattakaa rauhaan|kuuluu toiselle|numero vaihtunut|numero on vaihtunut|vaihtanut numero|vaihtoi numero|numero muuttunut|vanha numero',
  et: 'mitte helista|ära helista|ei tohi helistada|vale number|ainult sms|surnud|suri()|jatke mind rahule|kustutage number|vahetas numbri|vana number',
  lv: 'nezvan*|nesazin*|netrauce*|nepareizs numurs|tikai sms|miris|mirusi|lieciet mani miera',
  lt: 'neskambin*|nekontakt*|netrukdy*|klaidingas numeris|tik sms|neegzistuoj*|mire()|mirusi|mires|palikite ramybeje',
  nl: 'bel me niet|verkeerd nummer|foutief nummer|overleden|alleen sms|alleen whatsapp|zwarte lijst|buiten gebruik|buiten dienst|niet in gebruik|niet meer in gebruik|bellen nee|contact nee|bel me niet register|niet register|belmeniet|weigert telefo|weigert oproep|weigert contact|weigert gebeld|nummer klopt niet|gestorven|is dood|laat me met rust|laat mij met rust|met rust laten|van de lijst halen|van de lijst verwijderen|haal mij van|haal me van|verwijder mijn|verwijder mij|uitgeschreven|van iemand anders|hou op met bellen|niet zijn nummer|niet haar nummer|nummer gewijzigd|nummer veranderd|nummer is veranderd|ander nummer|nieuw nummer onbekend|oud nummer|oude nummer|nummer opgeheven',
  nordic:
    'fel nummer|feil nummer|forkert nummer|avliden|avlidna|avdød(/e)|afdød(/e)|endast sms|kun sms|ekki hringja|hringja ekki|hringið ekki|ekki hafa samband|rangt numer|svarta listan|svartelist|ur bruk|ute av drift|ur drift|nix registret|nixregistret|nixad(/e)|robinsonlisten|reservasjonsregister|inga samtal|inga telefonsamtal|inga saljsamtal|ingen samtaler|uden opkald|uden telefon|ingen anrop|ingen opkald|ingen telefonopkald|ude af drift|ikke i brug|ikke i bruk|inte i bruk|ingen oppring|ingen kontakt|ringej|ar dod()|er død()|er dod()|har gatt bort|gatt bort|gick bort|gatt bort|gikk bort|gik bort|døde()|tillhor nagon annan|tilhorer|tilhører en ann|tilhører noen andre|tilhører en anden|lat mig vara|la meg vaere|la meg være|lad mig være|ta bort mig|ta bort fran|ta bort numret|fjern meg|fjern mig|fjern fra list|stryk fran list|reservert mot|reservert i|reserverad mot|nix telefon|nix sparr|inte hans nummer|inte hennes nummer|ikke hans nummer|ikke hendes nummer|ikke hennes nummer|bytt nummer|byttet nummer|skiftet nummer|nytt nummer okant|gammalt nummer|gammelt nummer|gammel nummer|andrat nummer|endret nummer',
  tr: 'aramayin|aramayiniz|aranmasin|aranmak istemiyor|arama yapma|arama yasagi|yanlis numara|aramayalim|kara liste|vefat|sadece sms|sadece mesaj|kullanilmiyor|hizmet disi|kara listede|aramasin*|aramayacak*|aranmayacak*|aranmamali*|aranmaz|merhum|rahmetli|hayatini kaybet|baskasina ait|baska birine ait|baskasinin|rahat birak|listeden cikar|numarami sil|numara degis|numarasi degis|numarasini degis|eski numara|numara iptal|numarasi iptal',
  az: 'zəng etmə|zəng vurma|narahat etmə|yanlış nömrə|səhv nömrə|yalnız sms',
  uz: "qo'ng'iroq qilma|telefon qilma|bezovta qilma|noto'g'ri raqam|қўнғироқ қилма|безовта қилма",
  ky: 'чалба*|кабарлашпа*|туура эмес номер',
  tg: 'занг назан|рақами нодуруст',
  ka: 'არ დარეკ|ნუ დარეკ|არ შეაწუხ|არასწორი ნომერი',
  hy: 'չզանգ*|զանգել արգել|զանգել չի|մի զանգ|չանհանգստ*|սխալ համար',
  mn: 'битгий залга|залгахгүй|буруу дугаар',
  ar: 'رقم خاطئ|الرقم غير صح|الرقم غير صال|رقم خطأ|القائمة السوداء|متوفى|رسائل فقط|واتساب فقط|رقم غير صحيح|الرقم خطا|الرقم غلط|رقم غلط|قائمة سوداء|خارج الخدمة|غير موجود بالخدمة|رقم غير صالح|توفي|توفى|توفيت|وفاة|المرحوم|المتوفى|ليس رقمه|ليس رقمي|رقم شخص اخر|احذف الرقم|احذفوا رقمي|اتركني|اتركوني وشاني|لا موافقة|غير رقمه|غيرت رقمها|تغير الرقم|تم تغيير الرقم|رقم قديم|الرقم القديم',
  fa: 'تماس نگیر|زنگ نزن|مزاحم نش|تماس ممنوع|شماره اشتباه|فوت شد|فقط پیامک|لیست سیاه|خارج از سرویس|درگذشت|مرحوم|متوفی|وفات|شماره شخص دیگر|حذف شماره|شماره عوض|شماره قدیمی|شماره تغییر',
  ur: 'کال نہ کر|فون نہ کر|غلط نمبر|انتقال کر',
  he: 'מספר שגוי|מספר לא נכון|רשימה שחורה|נפטר(/ה/ו)|רק סמס|רק הודעות|מספר לא פעיל|לא מחובר|הלך לעולמו|הלכה לעולמה|המנוח|תעזבו אותי|להסיר מהרשימה|תסירו אותי|הסירו אותי|לא המספר שלו|שייך למישהו אחר|החליף מספר|החליפה מספר|המספר השתנה|מספר ישן',
  zh: '勿打|勿拨|勿撥|勿扰|勿擾|勿致电|勿致電|勿联系|勿聯繫|不要打|不要拨|不要致电|不要联系|不要聯繫|别打|別打|禁止|拒接|拒绝|拒絕|空号|空號|错号|停机|停機|请勿|請勿|已故|去世|已停用|黑名单|黑名單|仅短信|只发短信|错误号码|號碼錯誤|号码错误|错误的号码|打错|打錯|号码不对|號碼不對|不是本人|号码有误|號碼有誤|非本人|免扰|防骚扰|號碼錯|无效号码|無效號碼|号码无效|號碼無效|号码错|錯誤號碼|错误电话|电话错误|電話錯誤|錯誤電話|换号|換號|已换号|过世|過世|逝世|已死|身故|病故|死亡|仅微信|只微信|只用微信|仅限短信|仅限微信|只能短信|只能微信|仅邮件|只发邮件|只收邮件|仅限邮件|未同意|不同意|无同意|未经同意|未授权|別人的|别人的号|不是他的|不是她的|删除号码|刪除號碼|从名单中删除|移出名单|勿打扰|勿打擾|别烦|旧号码|舊號碼|旧号|号码已变|号码变更|換電話|换电话',
  ja: '電話しない|電話不可|電話禁止|かけない|掛けない|架電禁止|架電不可|架電しない|連絡不可|連絡しない|連絡禁止|不通|番号違い|お断り|拒否|死亡|使われていない|解約済|ショートメールのみ|番号間違い|間違い電話|間違い番号|番号が違|番号が間違|現在使われ|ブラックリスト|着信拒否|営業お断|番号誤|誤番号|間違った番号|かけるな|掛けるな|電話するな|連絡するな|かけてこない|電話しないで|電話やめ|亡くな|死去|逝去|他界|故人|メールのみ|メールだけ|メール以外|smsのみ|lineのみ|ラインのみ|書面のみ|文書のみ|郵送のみ|チャットのみ|同意なし|同意していない|同意無し|未同意|別人|他人の番号|本人ではない|本人でない|番号変更|リストから削除|リストから外|放っておいて|旧番号|番号が変|古い番号',
  ko: '전화하지|전화 하지|전화금지|전화 금지|연락하지|연락 금지|연락금지|통화 금지|수신거부|수신 거부|잘못된 번호|없는 번호|결번|사망|문자만|번호 오류|번호오류|틀린 번호|블랙리스트|사용하지 않는 번호|번호 아님|잘못된 전화|번호 틀|번호가 틀|번호틀|번호 잘못|번호가 잘못|번호잘못|돌아가셨|돌아가신|별세|고인()|작고|카톡만|메일만|이메일만|문자로만|미동의|동의하지|동의 안|동의 없|동의없|본인 아님|본인아님|다른 사람 번호|다른사람|명단에서 삭제|번호 삭제|번호변경|번호 변경|걸지 마|걸지마|번호 바뀜|번호바뀜|번호가 바뀌|예전 번호|옛날 번호',
  th: 'ห้ามโทร|อย่าโทร|ห้ามติดต่อ|ผิดเบอร์|เสียชีวิต|เบอร์ผิด|เบอร์ไม่ถูก|บัญชีดำ|เลขผิด|โทรผิด|ตายแล้ว|เสียแล้ว|ถึงแก่กรรม|ไม่ยินยอม|ไม่ใช่เจ้าของ|เบอร์คนอื่น|ลบเบอร์|ไลน์เท่านั้น|ข้อความเท่านั้น|เปลี่ยนเบอร์|เบอร์เก่า',
  vi: 'nham so|tu choi|chi nhan tin|sai so()|so sai()|da mat()|đã mất()|so khong dung|thue bao khong ton tai|danh sach đen|so đien thoai sai|sai so đien thoai|qua đoi|đa mat|tu tran|so nguoi khac|khong phai so|chi nhan tin|chi zalo|chi email|xoa so|đung lam phien|đoi so|đa đoi so|so cu()',
  id: 'jangan hubungi|jangan dihubungi|jangan telepon|jangan telefon|jangan ditelepon|jangan call|jangan panggil|jangan ganggu|jangan kacau|salah nomor|nomor salah|nombor salah|salah nombor|meninggal|hanya sms|hanya wa|nomor tidak aktif|nomor mati|daftar hitam|senarai hitam|no salah|bukan nomor|nomor tidak valid|nomor tidak benar|hp salah|telepon salah|telp salah|salah sambung|salah telp|nombor tidak sah|nombor tidak betul|wafat|almarhum(/ah)|hanya email|milik orang lain|bukan nomornya|hapus nomor|nomor orang lain|tidak setuju|tanpa persetujuan|tanpa izin|ganti nomor|nomor ganti|nomor sudah ganti|nomor lama|ganti nomer|tukar nombor|nombor lama',
  hi: 'गलत नबर|डीएनडी|dnd|कॉल करू नका|फोन करू नका|निधन|ब्लैकलिस्ट|मृत्यु|देहांत|स्वर्गवास|सिर्फ मैसेज|केवल मैसेज|केवल व्हाट्सएप',
  bn: 'কল করবেন না|ফোন করবেন না|ভুল নম্বর',
  ta: 'அழைக்க வேண்டாம்|தவறான எண்',
  te: 'కాల్ చేయవద్దు|ఫోన్ చేయవద్దు',
  others: 'usipige|huwag tawagan|huwag tumawag|moenie bel',
  eu: 'ez deitu|ez hots',
};

/** What says so where nothing else stands beside the number but its label. Some are names, or parts of places. */
export const FORBIDDEN_ALONE: Words = {
  any: 'stop|stopp|стоп|стопп|tps|ctps|dnd|dnc|чс|baja|opposition|oppositions|tot|mort|muerto|death|robinson|禁|reservert|dod|død|rip|muerta|morta|morto|toter|tote|umarl|kuollut|bloctel|pacitel|nix',
  // Words of `WRONG_WORDS` that are neither names nor said of much else.
  wrong:
    'wrong|incorrect|invalid|nonexistent|неверный|неверно|неправильный|неправильно|ошибочный|ошибка|чужой|недействительный|falsch|ungultig|errone|incorrecto|equivocado|erroneo|invalido|incorreto|errado|errato|sbagliato|gresit|bledny|niepoprawny|nieaktualny|pomylka|spatne|chybne|neplatne|verkeerd|foutief|ongeldig|forkert|ugyldig|ogiltigt|yanlis|gecersiz|hatali|teves|ervenytelen|virheellinen|невірний|неправильний|грешен|pogresan|pogresno|λαθος|خطا|غلط|خاطئ|اشتباه|שגוי|गलत',
};

/** What says no where it is all that a remark says. */
export const ANSWERS: Words = {
  en: 'no|nope|nah|never',
  ru: 'нет|неа|нельзя|никогда|nyet',
  uk: 'ні',
  be: 'не',
  kk: 'жоқ',
  de: 'nein|nö|niemals|verboten|untersagt',
  fr: 'non|jamais|interdit',
  es: 'nunca|jamas|prohibido',
  pt: 'nao|proibido',
  it: 'mai piu|vietato',
  ro: 'nu',
  pl: 'nie|zakaz',
  cs: 'ne|nikdy|zakazano|zakazane',
  hu: 'nem|soha|tilos',
  fi: 'ei|kielletty',
  et: 'keelatud',
  nl: 'nee|neen|nooit',
  nordic: 'nej|nei|aldrig|aldri|forbudt|forbjudet',
  tr: 'hayir|yasak|asla|yok',
  az: 'xeyr|yox|olmaz',
  uz: 'yoq|йўқ',
  el: 'όχι|οχι|ποτέ',
  ar: 'لا|كلا|ممنوع|ابدا',
  fa: 'نه|خیر|هرگز',
  ur: 'نہیں',
  he: 'לא|אסור',
  hi: 'नहीं|मत',
  zh: '不|否|不行|不可|不可以|不要|不愿意|不願意|不允许',
  ja: 'いいえ|否|不可|だめ|ダメ',
  ko: '아니요|아니오|아뇨|불가|싫음|안됨|안돼',
  th: 'ไม่|ไม่ได้|ไม่ยินยอม',
  vi: 'khong',
  id: 'tidak|tdk|jangan',
  ka: 'არა',
  hy: 'ոչ',
};

/** What forbids where it is all that a remark says, beside what refuses: the number is to be deleted, or nobody is there. */
export const FORBIDDEN_PARTS: Words = {
  en: 'delete(/d)|remove(/d)|erase(/d)|dead|banned|suppressed|inactive|rejected|stop|tps|ctps|rip|discontinued|cancelled',
  ru: 'удал(ить/ен/ена/ено/ите)|стереть|стерт|мертв(/а/ый/ая)|стоп|неактив(ен/ный)|забан*|запрет|запрещ(ено/ен/ена/ены)|udalit',
  uk: 'видал(ити/ено/ений/іть)|стерти|мертв(ий/а)|забан*|заборон(а/ено/ена)',
  bg: 'изтри(й/йте/т/та/ване)|забран(а/ен/ено)',
  sr: 'obrisat(i)|obrisan(/o)|izbrisat(i)|izbrisan(/o)|brisati|обрисат(и)|обрисан(/о)|mrtav|mrtva|zabranjen(/o)',
  sl: 'izbrisat(i)|izbrisan(/o)|brisati|mrtev|mrtva',
  de: 'losch(en/ung)|geloscht|loesch(en/ung)|geloescht|streichen|gestrichen|entfernen|entfernt|inaktiv|stillgelegt|abgemeldet|unerwunscht|unerwuenscht|unzulassig',
  fr: 'supprim(er/e/ee/ez)|effac(er/e/ez)|radi(e/ee)|resili(e/ee)|inactif|morts',
  es: 'borr(ar/ado/ada/en)|elimin(ar/ado/ada/en)|suprim(ir/ido)|inactivo|vetado|vetada',
  pt: 'apag(ar/ado/ada)|elimin(ar/ado/ada)|exclu(ir/ido/ida)|remov(er/ido/ida)|inativo|inativa',
  it: 'cancell(are/ato/ata)|elimin(are/ato/ata)|rimuov(ere/i)|rimosso|rimossa|inattivo',
  ro: 'sterge(/ti/re)|sters|eliminat',
  pl: 'zabroni(one/ony)|zakazan(e/y)|usun(ac/iety/ieto/iete)|skasow(ac/any/ano)|wykresl(ic/ony)|martwy|nieaktywny|nieaktywna',
  cs: 'smaz(at/ano/an/ane/at)|vymaz(at/ano/an/ane)|zmaz(at/ane/any)|odstran(it/eno/ene)|zrus(it/eno/ene/en)|mrtv(y/a)',
  hu: 'torol(ni/ve/t/je/jek)|toroln(i)|meghalt|inaktiv',
  fi: 'poist(a/aa/ettu/ettava/akaa)',
  et: 'kustuta(/da/tud)',
  lv: 'dzest(/s)|izdzest(/s/i)',
  lt: 'istrint(i/as/a)|trinti',
  nl: 'verwijder(/en/d)|geschrapt|dood|opgezegd|afgesloten',
  nordic:
    'radera(/d/s/t)|slett(/e/es/et)|slet(/tes/tet)|fjern(/e/es/et)|stryk(/es)|struken|borttagen',
  tr: 'sil(/in/inmis/insin/inecek/indi)|pasif',
  az: 'silinib',
  sq: 'fshi(/je/j/re)|vdekur',
  el: 'διαγραφ(/η/ηκε/ει)|διαγραψτε|νεκρ(ος/η)',
  ar: 'حذف|احذف|احذفوا|محذوف|يحذف|ميت|محظور|ملغي|ملغى',
  fa: 'حذف|مرده|مسدود|لغو',
  he: 'מחק|למחוק|נמחק|מחיקה|מת|מתה|חסום|בוטל|להסיר|הוסר',
  hi: 'हटाएं|हटाए|मृत|बंद',
  id: 'hapus|dihapus|ditolak|menolak|diblokir|dicabut|batal|dilarang|meninggal',
};

/** The same in scripts without blanks. */
export const FORBIDDEN_UNSPACED: Words = {
  zh: '删除|已删除|刪除|已刪除|死|死了|已死|拒|已拒|已拒绝|取消|已取消|注销|已注销|作废|失效',
  ja: '削除|削除済|削除済み|解約|無効|死|辞退|撤回|退会',
  ko: '삭제|삭제됨|거부|거절|철회|해지|차단|금지|탈퇴',
  th: 'ลบ|ตาย|ปฏิเสธ|ยกเลิก|ห้าม',
};

/** What stands beside such a word. */
export const REFUSAL_FILLING: Words = {
  any: 'true|status|note|notes|comment|result|remark|was|were|has|have|had|been|now|he|she|they|customer|client|by',
  de: 'hat|haben|wurde|worden|ist|kunde|kundin|kd|ab|wird|zu|bemerkung|notiz|vermerk|sie|ergebnis',
  romance:
    'a|ha|han|fue|foi|stato|stata|ete|il|elle|client|cliente|el|ella|ele|ela|lui|lei|statut|stato|estado|nota|remarque|observacion|por|par|da|pelo|dal|de|du|del|do|mon|son|sur',
  slavic:
    'он|она|клиент|клиентка|абонент|был|была|статус|примечание|прим|відмітка|клієнт|клієнтка|klient|klientka|zakaznik|byl|byla|zostal|zostala|je|se|sie|si',
  others:
    'klant|heeft|is|werd|kund|kunden|har|blev|kunde|asiakas|on|edildi|etti|olundu|oldu|musteri',
};

/** Of these, names that stand before the number of their owner. */
export const NAMES_BEFORE: Words = { any: 'opposition|oppositions' };

/** What a name stands behind, and what does not follow `No` in a name. */
export const TITLES: Words = {
  any: '[Ff]rau|[Hh]err|Hr|Fr|[Mm](?:r|rs|s|iss|me|lle)|M|Monsieur|Madame|[Ss]ra?|[Ss]eñora?|[Ss]ig(?:ra|nora|nor)?|[Pp]ani?|[Dd]r|[Pp]rof|[Dd]hr|[Mm]evr|[Mm]w|[Ff]ru|[Bb]ayan|[Гг]-н|[Гг]-жа|Господин|Госпожа|Familie|Fam',
};
export const NAME_LABELS: Words = {
  any: '[Kk]ontakt(?:person)?|[Cc]ontact(?: person| name)?|[Nn]ame|[Aa]nsprechpartner(?:in)?|[Aa]ttn|[Cc]ontacto|[Cc]ontato|[Rr]eferente|[Кк]онтакт(?:ное лицо)?|[Cc]all',
};
export const NO_NAMES: Words = {
  any: 'way|ways|more|longer|one|chance|entry|further|body|interest|interested|marketing|sales|ads|spam|deal|go|need|data|info|information|details|reason|time|access|cold|offers|offer|advertising|reply|person|use|good|longer|solicitors|soliciting|junk|entry|service|business|valid|working|available|agents|surveys|survey|promos|promotions|robots|bots|visitors|visits',
};

/** Words of a death; who lives on; and what asks to call them, before or behind. */
export const DEATHS: Words = {
  en: 'died|deceas*|dead|passed|late|death',
  de: 'verstorben(/e/er/en)|gestorben|tot|tod|verstarb',
  ru: 'умер(/ла/ло/ли/ший/шая/шие)|скончал(ся/ась/ись/)|погиб(/ла/ли)|смерт*|помер(/ла/ли)',
  romance:
    'decede*|mort|morte|deces|defunt*|fallecid(o/a)|fallecio|murio|muerto|muerta|difunt(o/a)|falecid(o/a)|faleceu|morreu|decedut(o/a)|morto|morta|decedat(/a)|murit',
  slavic:
    'zmarl(/a)|umarl(/a)|zyje|zemrel(/a)|zomrel(/a)|umrel(/a)|umro|umrla|preminu(o/la)|почина*',
  others:
    'overleden|gestorven|dood|dod|død|avliden|avdød|afdød|kuollut|kuoli|meghalt|elhunyt|vefat*|oldu',
};
export const RELATIVES: Words = {
  en: 'widow|widower|wife|husband|spouse|son|daughter|mother|father|brother|sister|mum|mom|dad|heir|heirs|relatives|children|executor',
  de: 'witwe|witwer|ehefrau|ehemann|frau|mann|sohn|tochter|mutter|vater|bruder|schwester|erben|kinder|angehorige*',
  ru: 'вдов(а/е/у/ец)|жен(а/е/у)|муж(/у/а)|сын(/у/а)|доч(ь/ери/ке/ку)|мат(ь/ери)|отц(у/а)|брат(/у/а)|сестр(а/е/у)|родственник*|дружин(а/і/у)|удов(а/і/у)|син(у/а)|доньк(а/у)',
  fr: 'veuve|veuf|epouse|epoux|femme|mari|fils|fille|mere|pere|frere|soeur',
  es: 'viuda|viudo|esposa|esposo|mujer|marido|hijo|hija|madre|padre|hermano|hermana',
  pt: 'viuva|viuvo|mulher|filho|filha|mae|pai|irmao|irma',
  it: 'vedova|vedovo|moglie|marito|figlio|figlia|fratello|sorella',
  slavic:
    'wdow(a/e/y/iec)|zon(a/e/y)|syn(/a/ovi)|cork(a/e/i)|matk(a/e/i)|vdov(a/u/ec)|manzel(/a/ka/ku)|dcer(a/u)|suprug(a/u)|žena|zenu',
  others:
    'weduwe|weduwnaar|vrouw|echtgenote|zoon|dochter|anka|ankan|enke|enken|hustru|hustrun|kone|fru|frun|sonen|dottern|datter|sønn|leski|leskea|vaimo|vaimolle|ozvegy*|feleseg*|vaduva|sotia|esini|dul|oglunu|kizini',
};
export const INVITING: Words = {
  any: 'call|phone|ring|contact|dial|anrufen|kontaktieren|звонить|звоните|позвонить|позвоните|перезвонить|связаться|дзвонити|дзвоніть|телефонувати|appeler|appelez|rappeler|contacter|contactez|llamar|llame|llama|contactar|ligar|ligue|contatar|chiamare|chiami|chiamate|contattare|dzwonic|zadzwonic|bel|ringa|ringe|kontakta|kontakte|volat|volejte|zvati|zovite|soita|sunati|contactati',
};
export const INVITING_BEHIND: Words = {
  any: 'anrufen|kontaktieren|bellen|arayin|hivni|kontaktovat',
};

/** Said besides. */
export const POLITE_WORDS: Words = {
  any: 'please|pls|plz|bitte|пожалуйста|пожалуйсто|пжл|плиз|svp|merci|favor|por|grazie|prego|prosze|lutfen|aub|tack|takk|kerem|kindly|thanks|thx|danke|dank|bedankt|gracias|obrigado|obrigada|спасибо|дякую|dziekuje|dekuji|kiitos|tesekkurler|always|forever|immediately|sofort|immer|навсегда|совсем|всегда|strictly|absolutely|list|liste|lista|список|is|ist|est|es|e|the|this|это|este|je|jest|er',
};

/**
 * The same in scripts without blanks between words, and in languages whose words for a call are parts of many others: what
 * stands before, what may stand between, and what stands behind, in regular expressions.
 */
export const FORBIDDEN_PAIRS: readonly (readonly [
  before: string,
  between: string,
  behind: string,
])[] = [
  // Chinese: 不可拨打, 不接电话, 禁呼. `特别`, `区别` and the like are other words.
  [
    '不|唔|勿|(?<![特区區级級类類性个個鉴鑑告])[别別]|莫|禁|拒|免|停止|谢绝|謝絕|严禁|嚴禁|暂停|暫停|毋|讨厌|討厭|反感',
    '要|好|能|可|可以|得|许|許|准|準|必|用|想|愿|願|意|再|让|讓|给|給|他|她|我|对|對|被|接受|方便|便|应|應|该|該|会|會|宜|需|是|随|隨|直接|主动|主動|任何|本人|客户|客戶|进行|進行|推销|推銷|营销|营业|广告',
    '打(?![烊折印包样樣工车車卡赏赌])|拨|撥|致电|致電|来电|來電|去电|电联|電聯|联系|聯繫|聯絡|联络|呼|接(?=电|電|听|聽|来|來|打|话|話|推|营)|电话|電話|扰|擾|骚扰|騷擾|推销|推銷|call',
  ],
  [
    '电话|電話|来电|來電|致电|致電|联系|聯繫|聯絡|联络|拨打|撥打|呼叫|通话|通話|外呼',
    '请|請|均|都|已|一律|也|的|被',
    '勿|禁|不可(?!用)|不要|不行|不能|不便|不想|不接|不允|拒|免|谢绝|謝絕|ng|屏蔽|投诉',
  ],
  // Japanese: 電話をしない, 連絡はしないでください, 電話NG.
  [
    '電話|でんわ|デンワ|架電|連絡|通話|発信|コール|入電|着信|tel|call|テレアポ|営業',
    'ご|お|を|は|が|も|の|に|へ|で|と|等|など|する|かけ|掛け|くる|いただか|入れ|出|し|絶対|一切|二度と|もう|連絡|電話|営業|行為|希望',
    'ない|なく|ません|禁|不可|不要|無用|ng|ダメ|駄目|拒否|拒絶|断|遠慮|控え|嫌|やめ|止め|厳禁|ストップ|するな|かけるな|かけん|お断|x ',
  ],
  ['ng|禁止|不可|拒否', 'の', '電話|架電|連絡|番号'],
  // Korean: 전화 거부, 연락 하지 마세요.
  [
    '전화|연락|통화|콜|발신|수신|텔레마케팅',
    '는|은|를|을|도|로|하|해|한|절대|일절|일체|받|걸|오|주|드리|달라|다시|더|이상|이|가|연락|통화|바람|권유|광고|영업|희망|원함',
    '거부|금지|사절|거절|불가|불허|불원|차단|중단|중지|하지|지 ?마|지 ?말|말아|마세요|마시|마십|삼가|안 ?함|안 ?됨|안 ?돼|안 ?받|싫|원치|원하지|지 ?않|엑스|ng|x ',
  ],
  ['거부|금지|불가', '의|요청|한', '전화|연락|통화'],
  // Thai: ไม่ต้องโทร.
  [
    'ห้าม|อย่า|ไม่|งด|เลิก|หยุด|ปฏิเสธ',
    'ต้อง|ให้|รับ|อยาก|สะดวก|ควร|ต้องการ|ประสงค์|มา|ไป|การ|โปรด|กรุณา|พึง|อนุญาต|อนุญาตให้|ขอ|มีการ',
    'โทร|ติดต่อ|สาย|รบกวน|call|โฟน',
  ],
  // Indonesian and Malay: jangan di hubungi, tidak boleh ditelepon.
  [
    ' (?:jangan|jgn|jng|tidak|tdk|tak|gak|ga|nggak|dilarang|larang|tolak|menolak|stop|pantang) ',
    'boleh|bisa|mau|ingin|perlu|usah|terima|menerima|mahu|suka|sila|lagi|nak|untuk|mohon|ya|coba|langsung|di|dapat|berkenan|bersedia|panggilan',
    '(?:di|meng|me)?(?:hubungi|telpon|telepon|telefon|telp|tlp|call|kontak|panggil|ganggu|kacau)|men(?:elepon|elpon|elefon)',
  ],
];

/** What ends a compound that begins with a word for calls: `Kontaktverbot`, `soittokielto`. */
export const COMPOUND_BANS: Words = {
  any: 'verbot|sperr|stop|unerwunsch|untersagt|verweiger|widerspr|ablehn|abwehr|forbud|forbjud|sparr|kielto|kiellet|verbod|weiger|tilalom|tilto|zakaz|keeld|draudim|aizlieg|запрет|yasag',
};

/** What `no` right behind it is the number of, and what says which number it is. */
export const NUMBER_OWNERS: Words = {
  en: 'tel|tele|telephone|phone|ph|hp|mobile|mob|cell|cellphone|cellular|handphone|contact|cont|fax|home|work|office|business|private|landline|land|line|main|direct|emergency|whatsapp|wa|viber|telegram|imo|calling|dial|hotline|helpline|residence|res|resi|ext|extension|account|customer|client|ref|reference|order|case',
  which:
    'my|your|his|her|their|our|its|this|that|same|alt|alternate|alternative|other|another|new|old|second|secondary|first|primary|personal|registered|above|below|following|correct|right|s',
  any: 'telefon|telefono|telefone|telefoon|telepon|telpon|telp|tlp|tlf|gsm|cep|cel|celular|movil|handy|mobil|mobiel|mobiltelefon|portable|fon|iletisim|irtibat|is|ev|sabit|dahili|тел|телефон|моб|мобильный|ph|phn|mo|m|t|p|c|h|w|o',
};

/** Languages whose words people mix; all others stand for themselves. */
export const LANGUAGE_FAMILIES: Words = {
  germanic: 'de|nl|nordic',
  romance: 'es|pt|it|ro|fr|ca',
  slavic: 'ru|uk|be|bg|sr|sl|pl|cs|kk',
  turkic: 'tr|az',
  arabic: 'ar|fa',
  baltic: 'fi|et|lv|lt',
};

/** Words for a call that are those of all languages. */
export const LOAN_CALLS: Words = {
  any: 'call|calls|calling|phone|contact|contacts|kontakt|kontakte|telefon|telefoon|telephone|контакт',
};

/** What denies in all languages. */
export const UNIVERSAL_NOTS: Words = {
  any: 'stop|стоп|dont|never',
};

/** Of what denies, names and words of other languages: they deny in their own alone. */
export const AMBIGUOUS_NOTS: Words = {
  any: 'no|ne|nu|na|mai|non|nie|nee|nei|ei|ej|sem|sin|sans|cam|chang|dung|ko|nao|utan|mitte|pas|cap|pare|parem|basta|chega|nada|cease|alkaa|yok|asla|al',
};

/** What says that the same way to reach someone is welcome. */
export const YES_WORDS: Words = {
  any: 'yes|y|ok|okay|fine|welcome|allowed|ja|oui|si|sim|tak|ano|igen|evet|da|да|можно|так|kylla|joo|on',
};

/** Of these, and of words for what may be done, what denies calls behind a denial: `not ok`. */
export const ALLOWED_WORDS: Words = {
  any: 'ok|okay|oke|okey|ок|окей|fine|welcome|wanted|allowed|permitted|authorized|authorised|erlaubt|gewunscht|erwunscht|gestattet|genehmigt|permis|autorise|permitido|permitida|autorizado|autorizada|deseado|permesso|autorizzato|gradito|dozwolone|wolno|zgoda|можно|разрешено|разрешен|можна|дозволено|dovoleno|povoleno|dozvoljeno|toegestaan|gewenst|tillatet|tillaten|tilladt|onskat|onsket|sallittu|izinli|uygun|engedelyezett|szabad|permis|επιτρεπεται|مسموح|מותר',
};

/** Agreement to calls. */
export const CONSENT_WORDS: Words = {
  en: 'consent*|permission(/s)|optin',
  ru: 'соглас(ие/ия/ен/на/ны)|разрешени*|soglas*',
  uk: 'згод(а/и/у/ен/на)|дозв(іл/олу)',
  de: 'einwilligung*|zustimmung*|einverstand*|werbeeinwilligung*',
  fr: 'consent*|accord',
  es: 'consentimiento*|consiente|autorizacion*',
  pt: 'consentimento*|autorizacao',
  it: 'consens(o/i)|autorizzazione',
  ro: 'consimtamant*|acordul',
  pl: 'zgod(a/y/e)|zezwoleni*',
  cs: 'souhlas*|suhlas*',
  hu: 'hozzajarul*|beleegyez*',
  fi: 'suostumus*|lupa|lupaa',
  nl: 'toestemming|instemming',
  nordic: 'samtyck*|samtykke*',
  baltic: 'nousolek*|piekrisan*|sutikim*',
  tr: 'onay|onayi|izin|izni|riza|rizasi|muvafakat*',
  sr: 'saglasnost*|pristanak|pristank*|privol*|soglasj*|съгласие*',
  ar: 'موافقة|الموافقة|موافقه|اذن',
  fa: 'رضایت',
  he: 'הסכמה|אישור',
  el: 'συγκατάθεση|συναίνεση',
  id: 'persetujuan',
};

/** What says that it is not there, beside what denies and refuses. */
export const CONSENT_LACKS: Words = {
  any: 'brak*|lack(/s/ing)|missing|fehlt|fehlend*|manque|absence|falta|manca|mancante|отсутств*|немає|chybi|chyba|hianyzik|puuttuu|saknas|mangler|ontbreekt|expired|none|n|widerrufen|withdrawn|отозвано|gecekilmis',
};

/** What says that there is no other way. */
export const ONLY_WORDS: Words = {
  any: 'only|just|exclusively|solely|nur|ausschliesslich|lediglich|bloss|только|лишь|исключительно|тільки|лише|виключно|uniquement|seulement|exclusivement|solo|solamente|unicamente|exclusivamente|so|somente|apenas|soltanto|esclusivamente|tylko|wylacznie|jen|pouze|vyhradne|len|iba|alleen|uitsluitend|enkel|bara|endast|enbart|kun|bare|udelukkende|vain|ainoastaan|csak|kizarolag|doar|numai|exclusiv|sadece|yalnizca|yalniz|само|единствено|samo|iskljucivo|ainult|tikai|tik|μονο|فقط|רק|hanya|chi|nomes',
};

/** What stands beside the two: it says how, or that they are how someone is reached. */
export const OTHER_WAY_FILLING: Words = {
  any: 'by|via|through|thru|per|in|on|using|use|me|us|or|and|to|at|for|over|preferred|possible|erreichbar|moglich|gewunscht|mit|uber|durch|auf|par|au|aux|les|des|un|une|por|en|con|los|las|el|com|pelo|pela|no|na|via|em|tramite|con|przez|po|poprzez|wysylac|przez|pomoci|na|cez|av|med|pa|over|ile|uzerinden|atin|lutfen|в|во|на|по|через|по|у|бо|через|можно|mozno|ber|sur|reachable|available|erwunscht|door|op|een|geldt|accepts|accepting|wants|prefers|prefer|messages|gin|zu',
};

/** Words for a call that are of any way to reach someone. */
export const CONTACT_WORDS: Words = {
  any: 'contact*|kontakt*|contat*|contatt*|контакт*|связ*|звяз*|reach|communicat*|comunic*|kommunik*|kommunikat*|iletisim|yhteys*|yhteydenot*|benader*|joindre',
};

/** Initials of registers against calls, which companies have as well, and what says that it is one. */
export const INITIALS: Words = { any: 'dnd|dnc|dncl|dncr|ndnc|tps|ctps' };
export const COMPANY_WORDS: Words = {
  any: 'ltd|limited|gmbh|llc|llp|inc|corp|corporation|company|plc|ag|kg|ug|sarl|sas|srl|spa|bv|nv|ab|as|aps|oy|kft|sro|ооо|оао|зао|ип|pvt|pty|logistics|logistik|holding|group|solutions|consulting|services|trading|transport',
};

/** Labels of numbers that are no calls, behind which a colon and `No.` stand for "number". */
export const PHONE_LABELS: Words = {
  any: 'phone|tel|telephone|telefon|telefono|telefone|mobile|mob|cell|cellphone|handy|gsm|fax|whatsapp|landline',
};

/** What sounds like a ban, and is none, in regular expressions: they are left out before anything else is looked for. */
export const HARMLESS_PHRASES: Words = {
  // Calls are welcome.
  en: '(?:do not|dont|never) (?:hesitate|be shy|forget)|if (?:there is )?no (?:e ?mail|answer|reply|response)|no (?:need to )?hesitat[^ ,]*|(?:no|not a) (?:problem|problems|worries|issue|trouble)|why not|not a problem',
  ru: 'не забудьте|не забыть|не забывайте|не стесняйтесь|не стесняйся|не стесняться|без проблем|не проблема|нет проблем|не боитесь|не раздумывая|не сомневайтесь',
  uk: 'не соромтеся|не вагайтеся|без проблем',
  de: '(?:zogern|zoger|zogert|vergessen|vergiss|vergesst)(?: sie)? nicht|nicht vergessen|nicht (?:zogern|scheuen)|scheuen sie sich nicht|kein problem|keine scheu|ohne zogern',
  fr: 'ne? ?(?:hesitez|hesite|hesiter|oubliez|oublie) pas|ne pas oublier|ne pas hesiter|hesitez pas|pas de (?:probleme|souci)|sans (?:probleme|hesiter|souci)|aucun (?:probleme|souci)',
  es: 'no (?:dude|duden|dudes|vacile|olvide|olvides|olviden|olvidar)(?: en)?|sin (?:problema|problemas|dudar|duda)|no hay problema|ningun problema',
  pt: 'nao (?:hesite|hesitem|hesitar)(?: em)?|sem (?:problema|problemas|hesitar|duvida)',
  it: 'non (?:esitare|esiti|esitate|dimenticare|dimentichi)(?: a)?|senza (?:problemi|esitare|problema)|nessun problema',
  pl: 'nie (?:wahaj|wahajcie|wahac|krepuj|krepowac)(?: sie)?|bez (?:problemu|wahania|problemow)|nie ma problemu',
  cs: 'nevahejte|neostychejte se|bez problemu|neni problem|nevahajte',
  nl: 'aarzel niet|vergeet niet|niet vergeten|niet aarzelen|geen probleem|zonder probleem',
  nordic:
    '(?:tveka|tov|tøv|nol|nøl) (?:inte|ikke)|(?:inga|ingen|inget|ikke noe) (?:problem|problemer)|utan problem',
  others:
    'ne habozzon|nem gond|alkaa eparoiko|ala epäröi|ala eparoi|nu ezitati|fara probleme|nicio problema|cekinmeyin|cekinmeden|sorun degil|sorun yok|لا تتردد|بدون تردد|אל תהסס|אל תהססו|בלי בעיה',
  east: '不要犹豫|不要猶豫|别客气|別客氣|没问题|沒問題|不客气|ご?遠慮なく|お?気軽に|問題な[いし]|주저하지 ?말고|주저 ?말고|망설이지 ?말고|문제 ?없음',
  // Who does not object.
  objections:
    'not (?:revoked|withdrawn|expired)|nicht (?:widerrufen|zuruckgezogen|abgelaufen)|(?:non|pas) (?:revoque|retire)e?|no revocad[oa]|nao revogad[oa]|non revocat[oa]|не (?:отозван[^ ]*|отзыва[^ ]*)|niet ingetrokken|nie (?:cofniet|wycofan)[^ ]*|(?:inte|ikke) (?:aterkallat|tilbakekalt|tilbagekaldt)|no objections?(?: to)?|not (?:against|opposed to|object(?:ing)?(?: to)?|refus[^ ]+)|(?:does not|do not|doesnt|dont|did not|didnt) (?:object|mind|refuse)(?: to)?|keine einwande(?: gegen)?|kein (?:widerspruch|einwand)(?: gegen)?|nicht (?:widersprochen|abgelehnt)|nichts (?:gegen|dagegen)|против (?:звонков|звонка) не (?:возражает|возражаю)|не (?:против|возражает|возражаю|отказывал[^ ]*|отказал[^ ]*)(?: от)?|не проти|не заперечує|pas d ?opposition|pas oppose(?:e)?|aucune (?:objection|opposition)|ne s oppose pas(?: aux)?|no (?:se opone|rechaza)(?: a)?|sin (?:objecion|oposicion)|ninguna objecion|nao (?:se opoe|recusa)(?: a)?|sem objecao|non si oppone(?: alle)?|nessuna (?:obiezione|opposizione)|nie (?:ma nic przeciwko|sprzeciwia sie)|brak sprzeciwu|geen bezwaar(?: tegen)?|ing(?:en|a) invandning(?:ar)?(?: mot)?|inget emot|ikke imot|intet imod|neni proti|bez namitek|itirazi yok|sakincasi yok|не е против',
  // Who is on no list, and lives.
  unlisted:
    'no (?:dnc|dnd|tps|ctps|opt ?out)|(?:not|isnt|nicht|не|pas|niet|inte|ikke|nie|no (?:esta|es)|nao (?:esta|e)|non (?:e|in)) (?:(?:on|in|the|a|any|auf|der|im|op|de|het|pa|på|в|w|na|en|la|sur|nella|bei) ){0,3}(?:dnc|dncr|dnd|tps|ctps|ndnc|robinsonliste|lista robinson|bloctel|gesperrt|blocked|blacklist(?:ed)?|blacklist|opted out|unsubscribed|deceased|dead|barred|verstorben|gestorben|tot|decede|fallecid[oa]|falecid[oa]|mort|overleden|geblokkeerd|avliden|zmarl[a]?|заблокирован[^ ]*|черном списке|стоп листе|чс|умер[^ ]*|отписал[^ ]*|отказ[^ ]*|lista negra|liste noire|liste rouge|lista nera|schwarzen liste|zwarte lijst)(?: list| register| registry)?',
  // Calls that need not come before a visit.
  before:
    '(?:no (?:phone )?calls? (?:is )?(?:needed|necessary|required)|(?:phone )?calls? (?:is |are )?not (?:needed|necessary|required)|no need to (?:call|phone|ring)|(?:do not|dont) (?:need|have) to (?:call|phone|ring)) (?:before(?:hand)?|in advance|ahead|first)|(?:prior|advance) calls? not (?:needed|necessary|required)|(?:anruf|anrufe|anrufen) (?:ist )?nicht (?:notig|notwendig|erforderlich) (?:vorher|vorab|vor [^ ]+)|(?:vorher|vorab|vorheriger|vorherige) (?:anruf|anrufe|anrufen|anzurufen) (?:ist )?nicht (?:notig|notwendig|erforderlich)|(?:kein )(?:vorheriger )?anruf (?:vorher |vorab )?(?:notig|notwendig|erforderlich)(?: vorher| vorab)?|предварительн(?:ый|о) (?:звонок|звонить) не (?:нужен|нужно|обязателен|обязательно|требуется)|заранее звонить не (?:нужно|обязательно|надо)|(?:звонить|звонок) (?:заранее|предварительно) не (?:нужно|нужен|обязательно|надо|требуется)|(?:звонить|звонок) не (?:нужно|нужен|обязательно|требуется) (?:заранее|предварительно)|(?:appel|appeler) (?:prealable |avant )?(?:pas|non) (?:necessaire|obligatoire) (?:avant|au prealable)|(?:pas besoin d appeler|pas besoin dappeler|inutile d appeler|inutile dappeler) (?:avant|au prealable)|no (?:es necesario|hace falta) llamar (?:antes|previamente)|llamada previa no necesaria|nao (?:e preciso|e necessario|precisa) ligar antes|non (?:serve|occorre|e necessario) (?:chiamare|telefonare) prima|nie trzeba (?:wczesniej )?dzwonic(?: wczesniej)?|niet nodig (?:om )?(?:vooraf )?te bellen|vooraf bellen (?:is )?niet nodig|behover inte ringa (?:innan|forst)|onceden aramaya gerek yok|не потрібно (?:попередньо )?дзвонити(?: заздалегідь)?|passed on to',
  // Deaths that are names.
  deaths:
    'death (?:valley|star|metal|row)|difunta correa|(?:todes|tod)(?:esstern|finger)|mort(?: |-)?homme',
  // Doors, not phones.
  doors:
    '(?:dont|do not|not) (?:ring|use) (?:the |at the )?(?:door ?bell|bell|door)|(?:door ?bell|bell)(?: is| does)? (?:not working|not work|broken|out of order|not in use)|не звонить в (?:дверь|домофон|звонок)|звонок не работает|домофон не работает|klingel (?:funktioniert |geht )?(?:nicht|defekt|kaputt|ausser betrieb)|nicht klingeln|ne pas sonner|sonnette (?:hors service|en panne)|niet aanbellen|timbre no funciona',
  // What is locked is no number.
  locked:
    '(?:konto|kundenkonto|bankkonto|karte|kreditkarte|zugang|account|login|profil|kundenkarte)(?: ist| wurde| war)? gesperrt|(?:карта|карты|счет|аккаунт|кабинет|профиль|доступ|логин)(?: был| была)? заблокирован[^ ,]*|(?:cuenta|conta|conto|compte|tarjeta|carta|carte|account|card) (?:is |est |esta )?(?:bloquead[oa]|bloquee?|bloccat[oa]|blocked|locked)',
};
