/** Invented words by language: first names, last names, cities, regions, streets, job titles, texts. */
export interface Place {
  readonly first: readonly string[];
  readonly last: readonly string[];
  readonly middle?: readonly string[];
  readonly cities: readonly string[];
  readonly regions: readonly string[];
  readonly streets: readonly string[];
  readonly jobs: readonly string[];
  readonly companies: readonly string[];
  readonly texts: readonly string[];
  readonly country: string;
}

const list = (text: string): string[] => text.split('|');

const place = (
  ...[
    first,
    last,
    cities,
    regions,
    streets,
    jobs,
    companies,
    texts,
    country,
    middle,
  ]: readonly string[]
): Place => ({
  first: list(first ?? ''),
  last: list(last ?? ''),
  cities: list(cities ?? ''),
  regions: list(regions ?? ''),
  streets: list(streets ?? ''),
  jobs: list(jobs ?? ''),
  companies: list(companies ?? ''),
  texts: list(texts ?? ''),
  country: country ?? '',
  ...(middle === undefined ? {} : { middle: list(middle) }),
});

// prettier-ignore
export const PLACES: Readonly<Record<string, Place>> = {
  en: place('Ada|Milo|Nora|Finn|Ivy|Otis|Wren|Hugo', 'Fernhill|Oakley|Rivers|Marsh|Thorne|Birch', 'Springfield|Riverton|Fairview|Lakeside|Milford', 'CA|TX|NY|FL|OH', 'Maple Ave|Oak St|Birch Road|Elm Drive', 'Manager|Engineer|Sales Director|Accountant', 'Acorn Works|Blue Kettle Ltd|Northwind Tools Inc|Paper Boat', 'asked for a call in the evening|wants the big one, twice|met at the fair|call again next week', 'United States'),
  ru: place('Анна|Борис|Вера|Глеб|Дина|Егор', 'Ландыш|Дубок|Ромашкин|Ивушко|Кленова|Пирожок', 'Москва|Самара|Пермь|Томск|Казань', 'Самарская область|Пермский край|Томская область', 'ул. Сказочная|пр. Ягодный|ул. Лесная', 'Менеджер|Инженер|Бухгалтер', 'ООО Ромашка|ЗАО Тюльпан|ИП Дубок', 'просил перезвонить вечером|интересует рассрочка|встречались на выставке', 'Россия', 'Петрович|Ивановна|Львовна|Олегович'),
  uk: place('Оксана|Тарас|Леся|Богдан|Ярина', 'Калина|Дубенко|Вербицький|Рута', 'Київ|Львів|Одеса|Харків', 'Київська область|Львівська область|Одеська область', 'вул. Казкова|вул. Лісова|просп. Ягідний', 'Менеджер|Інженер|Бухгалтер', 'ТОВ Калина|ТОВ Верба|ПП Рута', 'просив передзвонити ввечері|цікавить розстрочка', 'Україна', 'Петрович|Іванівна|Олегівна'),
  kk: place('Айгүл|Нұрлан|Дана|Ерлан', 'Қайыңбай|Гүлдер|Арманұлы|Теректі', 'Алматы|Астана|Шымкент|Қарағанды', 'Алматы облысы|Түркістан облысы|Абай облысы', 'Абай көшесі|Гүлдер көшесі', 'Менеджер|Инженер|Есепші', 'ЖШС Гүлдер|ЖШС Қайың', 'кешке қоңырау шалу|бөліп төлеу қызықтырады', 'Қазақстан', 'Серікұлы|Болатқызы'),
  de: place('Lena|Jonas|Mia|Emil|Greta|Anton', 'Birkenfeld|Sandmann|Laubner|Wiesental', 'Lübeck|Kassel|Bremen|Ulm|Jena', 'Hessen|Bayern|Sachsen', 'Ahornweg|Birkenallee|Lindenstraße', 'Geschäftsführer|Ingenieurin|Buchhalter', 'Laubner GmbH|Sandmann KG|Wiesental AG', 'bittet um Rückruf am Abend|Interesse an Ratenzahlung', 'Deutschland'),
  fr: place('Chloé|Hugo|Manon|Jules|Inès', 'Dubosquet|Marronnier|Lavande|Rocher', 'Lyon|Nantes|Lille|Dijon', 'Bretagne|Normandie|Occitanie', 'rue des Lilas|avenue du Parc|rue Haute', 'Directeur|Ingénieure|Comptable', 'Lavande SARL|Rocher SAS|Atelier Bleu', 'rappeler le soir|intéressé par un devis', 'France'),
  es: place('Lucía|Mateo|Elena|Bruno', 'Robledal|Olivar|Montero del Río|Clavel', 'Sevilla|Puebla|Toledo|Mérida', 'Andalucía|Jalisco|Toledo|Yucatán', 'Calle del Roble|Avenida Olmo|Calle Clavel', 'Gerente|Ingeniera|Contable', 'Robledal SL|Olivar SA|Taller Azul', 'llamar por la tarde|le interesa el plan grande', 'España'),
  pt: place('Clara|Davi|Marina|Caio', 'Figueiral|Ribeirinho|Jasmim|Pedreira', 'Santos|Curitiba|Recife|Niterói', 'SP|PR|PE|RJ', 'Rua das Flores|Avenida Ipê|Rua do Sol', 'Gerente|Engenheira|Contador', 'Figueiral Ltda|Jasmim ME|Oficina Azul', 'ligar à noite|interesse no plano maior', 'Brasil'),
  it: place('Giulia|Luca|Marta|Pietro', 'Quercino|Fiordaliso|Rovere|Montalto', 'Torino|Parma|Lecce|Udine', 'TO|PR|LE|UD', 'Via dei Tigli|Corso Olmo|Via Nuova', 'Direttore|Ingegnere|Contabile', 'Quercino SRL|Rovere SPA|Officina Blu', 'richiamare la sera|interessato al preventivo', 'Italia'),
  pl: place('Zofia|Jakub|Hanna|Antoni', 'Brzozowska|Dębek|Lipowski|Różany', 'Toruń|Gdynia|Opole|Kielce', 'mazowieckie|pomorskie|opolskie', 'Lipowa|Różana|Polna', 'Kierownik|Inżynier|Księgowa', 'Brzoza Sp. z o.o.|Lipa SA', 'oddzwonić wieczorem|pyta o raty', 'Polska'),
  tr: place('Elif|Kerem|Defne|Emre', 'Çınar|Gülbahçe|Yaprak|Söğüt', 'İzmir|Bursa|Konya|Ankara', 'İzmir|Bursa|Konya', 'Lale Sokak|Çınar Caddesi', 'Müdür|Mühendis|Muhasebeci', 'Çınar Ltd. Şti.|Yaprak A.Ş.', 'akşam aranacak|taksit soruyor', 'Türkiye'),
  ar: place('ليلى|عمر|سارة|يوسف', 'البستاني|الوردي|النخيل|الياسمين', 'الرياض|جدة|الدمام', 'الرياض|مكة|الشرقية', 'شارع الورد|شارع النخيل', 'مدير|مهندس|محاسب', 'شركة الورد|مؤسسة النخيل', 'يرجى الاتصال مساء|مهتم بالعرض الكبير', 'السعودية'),
  he: place('נועה|איתי|מאיה|יונתן', 'אלוני|רקפתי|כרמלי|גפן', 'חיפה|רעננה|אשדוד', 'צפון|מרכז|דרום', 'רחוב האלון|רחוב הגפן', 'מנהל|מהנדסת|רואה חשבון', 'אלוני בעמ|גפן שיווק', 'להתקשר בערב|מתעניין בתשלומים', 'ישראל'),
  zh: place('小雨|大海|春花|明月', '柳|竹|松|梅', '杭州|成都|苏州|厦门', '浙江省|四川省|江苏省', '桂花路|竹林街', '经理|工程师|会计', '桂花有限公司|竹林商贸', '晚上回电|想要分期付款', '中国'),
  ja: place('花子|太郎|さくら|海斗', '桜井田|松葉|竹丘|梅園', '横浜市|仙台市|福岡市', '神奈川県|宮城県|福岡県', '桜町1-2-3|松葉町4-5', '部長|課長|主任', '桜商店|松葉株式会社', '夜に折り返し希望|資料請求あり', '日本'),
  vi: place('Lan|Minh|Hoa|Bảo', 'Nguyễn Hoa|Trần Tre|Lê Sen', 'Hà Nội|Đà Nẵng|Huế', 'Hà Nội|Đà Nẵng', 'Đường Hoa Sen|Đường Tre Xanh', 'Trưởng phòng|Kỹ sư|Kế toán', 'Công ty TNHH Hoa Sen|Công ty Tre Xanh', 'gọi lại buổi tối|quan tâm trả góp', 'Việt Nam'),
  hi: place('आशा|रवि|मीरा|अर्जुन', 'कमल|चंदन|वृक्षा|सागर', 'पुणे|जयपुर|भोपाल', 'महाराष्ट्र|राजस्थान', 'गुलाब मार्ग|कमल गली', 'प्रबंधक|अभियंता|लेखाकार', 'कमल ट्रेडर्स|चंदन उद्योग', 'शाम को कॉल करें|किस्त में रुचि', 'भारत'),
};
