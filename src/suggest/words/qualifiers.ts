/** Words that say whose column it is, namely the client's, and change nothing. */
export const NEUTRAL = words(
  'customer client contact lead person user your primary main current the of a an and please enter provide s my our first value crm subscriber',
  'клиента контакта лида ваш ваша ваше основной основная клиент заемщика должника контакт лид',
  'клієнта контакту ліда ваш ваша основний клиент клиенттің',
  'des der kunden kunde ihre ihr haupt',
  'du de la le client votre principal principale l d',
  'del de la el cliente contacto su tu principal tel',
  'do da seu sua cliente contato principal',
  'del della cliente il la suo contatto principale',
  'klienta kontaktu twój twoje główny główna',
  'müşteri musteri ana',
  'العميل الزبون',
  'לקוח הלקוח',
  '客户 用户 主要 您的',
  '顧客 お客様 ご',
  'khach hang',
  'ग्राहक का की के',
);

/** Words that make a name say something about the thing, and not the thing itself: `Phone verified`, `City ID`. */
export const ABOUT = words(
  'type types status verified verification valid validity validated consent opt optin optout date time id ids count visits clicks views label flag checksum',
  'score permission allowed last attempt attempts result callable code format carrier provider hash quality bounced reason at on since until notes display',
  'тип статус проверен согласие дата время код оператор подтвержден подтвержден валиден количество',
  'тип дата згода перевірено код статус',
  'typ status datum einwilligung geprüft bestätigt anzahl art gultig gepruft bestatigt',
  'type statut date consentement verifie valide nombre heure',
  'tipo estado fecha consentimiento verificado valido hora',
  'tipo data consentimento verificado hora valido',
  'tipo data consenso verificato ora',
  'typ data zgoda zweryfikowany',
  'tur tarih onay dogrulandi tip',
  'نوع تاريخ',
  'סוג תאריך',
);

/** Someone else than the client: their phones and names are not to be called. */
export const OTHERS = words(
  'owner agent manager assistant rep salesperson assigned spouse emergency guarantor referrer reference relative employer supervisor caller partner2 recruiter doctor secretary adviser advisor broker attorney lawyer sender seller realtor',
  'менеджера менеджер агента оператора ответственного куратора супруга супруги поручителя родственника лица сотрудника руководителя врача работодателя консультанта',
  'менеджера відповідального агента лікаря оператора',
  'betreuer betreuers vermittler vermittlers bearbeiter mitarbeiter berater vertreter assistenz ehepartner notfall',
  'conseiller conseillere commercial responsable agent vendeur conjoint urgence courtier',
  'asesor agente comercial vendedor responsable conyuge emergencia ejecutivo aval',
  'vendedor corretor responsavel consultor conjuge emergencia fiador gerente',
  'agente venditore consulente responsabile coniuge emergenza',
  'opiekuna agenta handlowca doradcy malzonka',
  'temsilci danisman temsilcisi',
  'المندوب الموظف المسؤول الوكيل',
  'נציג סוכן',
);

function words(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(' ')));
}
