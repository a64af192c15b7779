/*
 * What stands beside a number, by kind, one a line: a cell holds it before the number, behind it, in brackets and in a
 * second line, unless `@` says where the number stands. `\n` is a line break.
 */

/** Says that nobody may call, or that the number is the wrong one. */
export const FORBIDDING: Readonly<Record<string, string>> = {
  signs: `
    ❌
    🚫
    📵
    ⛔
    ⛔️
    🛑
    ✕
    ✖
    ✖️
    ✗
    ✘
    ❎
    🗙
    🔇
    🔕
    📴
    ⊘
    ⊗
    🈲
    🆖
    🙅
    🙅🏽‍♀️
    👎
    📞⃠
    ☎️❌
    ❌❌❌
    Tel ❌
    mobile 🚫
    🚫 Frau Zett
    ✝
    ✝️
    ☦
    ❌ WhatsApp @
    @ ❌, SMS
    @ ×
    × @
  `,
  'no before digits that is no number': `
    call: no @
    Call? No. @
    Call: No. @
    call no @
    Call - no @
    llamar: no @
    llamar? NO @
    chiamare: no @
    Contact: no @
    calls? no: @
    calls allowed? No. @
    @ call: no
    @\\ncall: no
  `,
  'apostrophes and letters of other kinds': `
    don´t call
    don‘t call
    don’t call
    don′t call
    don＇t call
    donʼt call
    don\`t call
    don?t call
    can´t call
    DON´T CALL
    qo‘ng‘iroq qilmang
    ｄｏ\u3000ｎｏｔ\u3000ｃａｌｌ
    ＤＯ ＮＯＴ ＣＡＬＬ
    ｄｎｃ
    ＳＴＯＰ
    𝗱𝗼 𝗻𝗼𝘁 𝗰𝗮𝗹𝗹
    ⓓⓞ ⓝⓞⓣ ⓒⓐⓛⓛ
  `,
  elisions: `
    n'appelez pas
    n'appelez plus
    N'APPELEZ PLUS
    n’appelez jamais
    n´appelez plus
    ne pas l'appeler
    ne l’appelez pas
    ne m'appelez plus
    pas d'appels
    pas d'appel
    aucun d'appel
    qu'on ne l'appelle pas
    ne veut pas qu'on l'appelle
    interdit d'appeler
    refuse d'être appelé
  `,
  'prohibited, refused and avoided calls': `
    calls prohibited
    calls: prohibited
    calls (prohibited)
    prohibited to call
    avoid calling
    avoid calls
    refuses calls
    refuses all calls
    refused contact
    declined calls
    calls declined
    calls - refused
    Calls: refused
    unwanted calls
    objects to calls
    call barring
    no tel calls @
    contact blocked
    has asked not to be contacted
    withdrew consent to calls
    звонки запрещены
    звонить запрещается
    запрет на звонки
    отказался от звонков
    отказалась от звонков
    отказ от звонков
    против звонков
    звонки запр.
    не принимает звонки
    STOP звонки
    звонки нежелательны
    просит не набирать
    не набирать
    нельзя звонить
    в чёрном списке
    чёрный список
    ЧС
    ne zvonit
    appels interdits
    appels indésirables
    refuse les appels
    refuse tout appel
    opposition aux appels
    fait opposition
    llamadas prohibidas
    prohibido llamar
    rechaza llamadas
    evitar llamadas
    se niega a llamadas
    nada de llamadas
    Anrufe untersagt
    verbotene Anrufe
    unerwünschte Anrufe
    Anrufe unerwünscht
    Anrufe nicht erwünscht
    Anrufe: nein
    verweigert Kontakt
    lehnt Anrufe ab
    meidet Anrufe
    unerwuenschte Anrufe
    Werbeanrufe untersagt
    Telefonverbot
    Kontaktverbot
    Kontaktsperre
    Anrufstopp
    chiamate vietate
    vietato chiamare
    rifiuta chiamate
    ligações proibidas
    proibida ligação
    recusa ligações
    nooit bellen
    niet opbellen
    mag niet gebeld worden
    geen telefoontjes
    weigert contact
    ongewenste oproepen
    bellen niet toegestaan
    belverbod
    ring ej
    ring aldrig
    får ej kontaktas
    vill inte bli uppringd
    må ikke ringes
    samtal undanbedes
    nægter opkald
    ingen oppringning
    ring ikkje
    kontaktförbud
    ei puheluita
    älä soita
    soittaminen kielletty
    puhelukielto
    hívni tilos
    ne hívják
    hívást elutasítja
    nu apelați
    nu sunați
    apeluri interzise
    refuză apeluri
    дзвінки заборонені
    заборонено дзвонити
    відмовився від дзвінків
    ne nazivaj
    ne zvati
    zabranjeno zvati
    zabranjeno nazivanje
    odbija pozive
    nepřeje si volat
    nechce hovory
    odmítá hovory
    nie dzwonić
    zakaz telefonowania
    odmawia kontaktu
    не търсете
    забранено обаждане
    απαγορεύονται οι κλήσεις
    μην τηλεφωνείτε
    arama yasak
    ممنوع الاتصال
    يرفض المكالمات
    تماس ممنوع
    אסור להתקשר
    מסרב לשיחות
    לא מעוניין בשיחות
    不能打
    不可拨打
    不接电话
    不想被打扰
    请不要再打电话
    拒绝来电
    不接推销电话
    唔好打
    禁呼
    電話をしない
    連絡はしないでください
    電話はご遠慮ください
    連絡不要
    電話NG
    架電NG
    電話×
    お電話はお控えください
    電話連絡不可
    TEL不可
    전화 거부
    연락 하지 마세요
    전화 절대 금지
    통화 거절
    전화 받지 않음
    전화X
    jangan telpon
    jangan di hubungi
    tidak boleh dihubungi
    dilarang menelepon
    tak nak dihubungi
    ไม่ต้องโทร
    ไม่ให้ติดต่อ
    ไม่อนุญาตให้โทร
    อย่าโทรมา
    không muốn gọi
  `,
  'written together': `
    NOCALL
    NoCalls
    DONTCALL
    DoNotContact
    НЕЗВОНИТЬ
    незвоните
    недзвонити
    neappelez
    nepasappeler
    nollamar
    nichtanrufen
    keinanruf
    nondisturbare
    nodisturbar
    pasdappel
    nezvati
    niedzwonic
    nezvoni
    nietbellen
    ringikke
    mobile НЕЗВОНИТЬ
  `,
  'words that stand alone, or beside labels': `
    стоп
    СТОП!
    Stop
    stop please
    bitte stop
    mobile, stop
    mobile TPS
    TPS mobile
    Mobil: DND
    Tel. stop
    baja
    móvil baja
    @ opposition
    @ (opposition)
    opposition: @
    mobile (opposition)
    dado de baja
  `,
  'no answer, and a ban': `
    no answer, do not call
    nicht erreicht, nicht mehr anrufen
    не отвечает, больше не звонить
    keine Zeit für Anrufe
    no time for calls
  `,
  'wrong numbers': `
    stimmt nicht
    nicht korrekt
    nicht mehr aktuell
    not right
    not working
    no es correcto
    no corresponde
    non corretto
    ne fonctionne pas
    klopt niet
    bestaat niet
    stämmer inte
    nieprawidłowy
    не верный
    номер не верный
    не верный номер
    не принадлежит
    не актуален
    помилковий
    δεν ισχύει
    غير صحيح
    לא נכון
    tidak aktif
    間違い
    別人
    无效
    없는번호
    другой абонент
    andere Person
    will nicht
    не хочет
    RPO
    mobile not ok
    wrong
    wrong no
    wrong no.
    wrong nr
    Wrong No. @
    wrong mobile number
    wrong person
    not a valid number
    no longer active
    number is wrong
    bad number
    invalid phone
    phone invalid
    no longer in service
    number no longer in use
    falsch
    falsche Telefonnummer
    Rufnummer falsch
    Nummer stimmt nicht
    ungueltige Nummer
    ungültige Nummer
    неправильный номер
    номер неправильный
    неверный телефон
    неправ. номер
    не тот человек
    номер: неверный
    número incorrecto
    número equivocado
    numero inválido
    faux numéro
    mauvais n°
    numéro invalide
    numero sbagliato
    numero non valido
    número errado
    verkeerd nummer
    ongeldig nummer
    fel nummer
    ugyldig nummer
    forkert nummer
    väärä numero
    virheellinen numero
    rossz szám
    érvénytelen szám
    număr greșit
    numărul este greșit
    неправильний номер
    невірний номер
    няправільны нумар
    pogrešan broj
    pogrešan br.
    napačna številka
    špatné číslo
    neplatné číslo
    nesprávne číslo
    zły numer
    nieprawidłowy numer
    yanlış numara
    geçersiz numara
    грешен номер
    λάθος αριθμός
    λάθος τηλέφωνο
    λάθος νούμερο
    رقم خاطئ
    שגוי
    错误号码
    号码错误
    電話錯誤
    番号違い
    번호 오류
    번호가 틀림
    เบอร์ผิด
    số sai
    sai số điện thoại
    nomor salah
    nombor tidak sah
  `,
  'more than another way to reach someone': `
    no sms, no calls
    no calls, sms ok
    no calls, no sms
    no sms, calls
    no sms or calls
    no sms, whatsapp or calls
    no calls/sms
    do not: sms, call
    do not sms, call, email
    don't write or call
    call, sms: no
    звонить, смс: нет
    no sms / calls
    sms no, calls no
    no: calls, sms
    не писать и не звонить
    не писать, не звонить
    звонить не надо, смс можно
    без смс, звонков
    no llamar, solo whatsapp
    keine SMS, keine Anrufe
    keine SMS, Anrufe
    keine Anrufe, nur SMS
    please don't, whatsapp instead of calling
  `,
  'fields of a form': `
    call: N
    callable: no
    callable no
    Callable=false
    Call? N
    Call = no
    calls allowed: N
    OK to call: no
    not callable
    anrufen: no
    Kontakt: nein
    Kontakt: ne
    no anrufe
    no appels
  `,
  'no consent': `
    no consent
    consent: no
    consent: N
    consent withdrawn
    keine Einwilligung
    Einwilligung widerrufen
    Einwilligung fehlt
    ohne Zustimmung
    нет согласия
    без согласия
    brak zgody
    brak zgody na kontakt
    pas de consentement
    sin consentimiento
    sem consentimento
    senza consenso
    geen toestemming
    inget samtycke
    ei suostumusta
    souhlas chybí
    izin yok
    لا موافقة
    未同意
    同意なし
  `,
  'one other way alone': `
    email only
    email only please
    calls: none
    calls: never
    text only
    WhatsApp only
    only by email
    please only WhatsApp
    contact by email only
    nur schriftlich
    nur per SMS
    nur per E-Mail
    только писать
    только письменно
    uniquement par mail
    solo mensajes
    solo por correo
    apenas whatsapp
    alleen per mail
    kun sms
    vain sähköposti
    tylko mail
    csak email
    sadece mail
    メールのみ
    仅微信
    카톡만
  `,
  deaths: `
    passed away
    died
    deceased
    gestorben
    verstorben
    décès
    décédé
    est mort
    falleció
    faleceu
    è morto
    скончался
    умер
    покойник
    nie żyje
    zmarł
    halott
    död
    är död
    er død
    is dood
    πέθανε
    vefat etti
    توفي
    亡くなった
    过世
    별세
  `,
  'bans in other words': `
    basta chiamate
    no chiamate
    nonmichiamare
    ne pas tel
    ne pas tél.
    arrêtez d'appeler
    désinscrit
    Bloctel
    pare de ligar
    dejen de llamar
    nomellames
    no trucar
    no truqueu
    bel nie
    ko gọi
    aramasın
    call mat karo
    かけるな
    перестаньте звонить
    przestańcie dzwonić
    puhelinmyyntikielto
    reservert
    Robinson
    номер недоступен навсегда
    gesperrt
    Nummer gesperrt
    no problem, but do not call
    do not hesitate to text, do not call
    no sms/calls
    only WhatsApp or SMS
    nur WhatsApp oder Mail, Anruf nie
    E-Mail ja, Telefon nein
    nein, E-Mail oder Telefon
    Kontakt: Frau Zett, nicht anrufen
    Contact: No Calls @
    Contact: Do Not Call @
    Contact: No Way @
    Frau Nein, bitte nicht anrufen
    call not needed
    death certificate received
    cease and desist
    asked to be removed
    requested removal
    hat Widerspruch eingelegt
    не хочет общаться
    nem kíván kapcsolatot
    neželá si kontakt
    לא לחזור אליו בטלפון
    hringja ekki
    wrong party
    falsch verbunden
    if possible do not call
    si possible ne pas appeler
    wenn möglich nicht anrufen
    если можно, не звоните
    si prega di non chiamare
    not dead, but do not call
    do not call on Sunday, or at all
  `,
  'someone else, or off a list': `
    belongs to someone else
    номер не его
    это не его номер
    gehört jemand anderem
    engano
    换号了
    deceased, wife called
    verstorben, Witwe rief an
    died, do not call the widow
    husband died
    remove from call list
    remove me from your list
    take me off your list
    leave me alone
    удалите номер
    lasst mich in Ruhe
  `,
  'signs of HTML, and slips': `
    don&#39;t call
    don&#x27;t call
    don&rsquo;t call
    do&nbsp;not&nbsp;call
    do not cal
    dont cal
    nich anrufen
    nicht anurfen
  `,
  'more than hours': `
    nicht nach Feierabend anrufen
    @ не звонить до 10 мая
    @ do not call after 3 calls
    @ nach 3 Anrufen nicht mehr anrufen
    @ не звонить до 2030
    @ не звонить до 15 мая
    @ do not call before 12 months
    @ after 12 calls no answer, do not call
    @ do not call before 9, do not call at all
    do not call before @
    @ не звонить, умер 10
    @ do not call until 10.05
    @ do not call for 10 years
    @ wrong number, do not call before 9
    @ nicht vor 9 Uhr anrufen, verstorben
    @ after 10 attempts do not call
    @ do not call on Sundays or any other day
    @ do not call on Sundays, do not call at all
    @ on Sunday no longer in service
    Herr Sonntag nicht anrufen
    Domingo: no llamar
    Sunday do not call
    morgen nicht anrufen
    周日勿打, 已故
    9時前は電話不可, 亡くなった
    주말 전화 금지, 사망
    saat 9'dan önce aramayın, vefat etti
    ne hívja
    在公司不要打电话
  `,
  'a no, and nothing else': `
    nein
    Nein!
    nein danke
    @ no
    @ (no)
    (no) @
    @ - NO
    @ no, thanks
    nope
    never
    non
    non merci
    não
    nee
    nooit
    nie
    нет
    НЕТ
    ні
    hayır
    nej
    nei
    ei
    nem
    όχι
    لا
    לא
    不
    いいえ
    아니요
    không
    tidak
    not ok
    not okay
    not allowed
    nicht ok
    nicht erlaubt
    pas ok
    no permitido
    не ок
    не разрешено
    nie ok
    @ Frau Zett, nein
    @ (Frau Zett) - nein
  `,
  'a refusal, and nothing else': `
    revoked
    withdrawn
    refused
    Phone @ (refused)
    customer refused
    rejected
    blocked
    mobile blocked
    blocked: yes
    banned
    delete
    please delete
    deleted
    removed
    dead
    status: deleted
    note: refused
    @ Ms Smith (TPS)
    @ Ms Smith - dead
    widerrufen
    Widerruf
    Widerspruch
    abgelehnt
    Kunde hat abgelehnt
    Frau Zett (widerrufen) @
    löschen
    gelöscht
    Kontakt löschen
    stillgelegt
    unerwünscht
    refusé
    révoqué
    bloqué
    à supprimer
    rechazado
    revocado
    bloqueado
    borrar
    recusado
    revogado
    apagar
    rifiutato
    bloccato
    cancellare
    geweigerd
    ingetrokken
    verwijderen
    odmowa
    zablokowany
    usunąć
    отказ
    отказалась
    клиент отказался
    отозвано
    удалить
    запрещено
    відмова
    видалити
    заборонено
    reddetti
    iptal
    silindi
    odmítl
    smazat
    odbio
    izbrisati
    spärrad
    återkallat
    radera
    slettes
    poistettu
    elutasította
    törölni
    refuzat
    αρνήθηκε
    διαγραφή
    رفض
    حذف
    סירב
    למחוק
    已删除
    削除
    거부
    ยกเลิก
    menolak
  `,
  'another number by now': `
    changed number
    number changed
    she changed her number
    has a new number
    old number
    hat neue Nummer
    alte Nummer
    Nummer geändert
    a changé de numéro
    ancien numéro
    cambió de número
    número antiguo
    mudou de número
    trocou de número
    ha cambiato numero
    vecchio numero
    nummer gewijzigd
    oud nummer
    zmienił numer
    stary numer
    сменился номер
    поменяла номер
    старый номер
    змінила номер
    numara değişti
    eski numara
    změna čísla
    bytt nummer
    skiftet nummer
    numero vaihtunut
    régi szám
    număr vechi
    παλιός αριθμός
    promijenio broj
    ganti nomor
  `,
  'forms that are answered': `
    opt-in: no
    opt in: N
    opt_in: no
    opt-in no
    no opt-in
    Opt-In: nein
    opt-in : non
    opt-in: нет
    @ consent=0
    @ consent: false
    @ Einwilligung: 0
    samtykke: nei
    opt-out: yes
    opt-out
    DNC: 1
    DNC: yes
    DNC: no, do not call
    DNC: no calls
  `,
};

/** Says nothing of the kind. */
export const HARMLESS: Readonly<Record<string, string>> = {
  signs: `
    ☎
    ☎️
    📞
    📱
    ✅
    ✔
    ✔️
    ⭐
    ⚠️
    @ ❌ WhatsApp
    @ call, 🚫 SMS
  `,
  'no that is a number': `
    Phone No. @
    Phone no @
    Tel. no: @
    Contact no @
    Mobile No.: @
    Phone-No. @
    Call my no @
    Call this no. @
    Call/WhatsApp no @
    Telefon no: @
    Cep no @
    No. Telefon @
    No HP @
    call № @
    Call Nº @
    Call n° @
    Tel. N.º @
    ｔｅｌ @
  `,
  'calls that were not answered, or not yet': `
    no answer, call again
    not now, call later
    nicht erreicht, nochmal anrufen
    keine Zeit, später anrufen
    keine Zeit, bitte zurückrufen
    pas de réponse, rappeler
    no contesta, llamar de nuevo
    não atende, ligar depois
    nie odbiera, dzwonić później
    не отвечает, перезвонить
    geen gehoor, terugbellen
    cevap yok, tekrar ara
    no sms, only calls
    no WhatsApp, only calls
  `,
  'calls that are welcome': `
    no WhatsApp, llamar
    llamar, no WhatsApp
    llamar (no WhatsApp)
    no escribir, llamar
    call, no sms
    call (no sms)
    call; no whatsapp or telegram
    call - no sms
    call but no sms
    call without sms
    no sms, call
    no sms please, call
    no sms but call
    don't text, call
    no sms, calls only
    SMS: no, call: yes
    whatsapp no, llamar
    anrufen, keine SMS
    anrufen ohne WhatsApp
    keine SMS, nur anrufen
    nicht schreiben, anrufen
    звонить, без смс
    звонить без смс
    звонить, не писать
    звонить, смс не слать
    можно звонить, смс нет
    не писать, звонить
    не писать, только звонить
    дзвонити, без смс
    appeler, pas de sms
    ne pas écrire, appeler
    ligar, sem whatsapp
    ligar, não mandar mensagem
    chiamare, no sms
    chiamare, niente messaggi
    dzwonić, nie pisać
    dzwonić, bez smsów
    volat, ne sms
    hívni, nem sms
    soita, ei tekstiviestejä
    ei viestejä, soita
    bellen, geen sms
    bellen, niet appen
    ring, inte sms
    ring, ikke sms
    ara, mesaj yok
    zovi, ne poruke
    sunați, nu sms
    звъни, без sms
    اتصال، بدون واتساب
    להתקשר, לא וואטסאפ
    SMS不可、電話可
    短信勿发，请打电话
    문자 금지, 전화 가능
  `,
  'names, places and other words': `
    Adresse stimmt nicht
    Name nicht richtig geschrieben
    aktuell
    not right now
    whatsapp not ok
    Herr Richtig
    no mobile
    kein Handy
    Baja California
    Sra. Baja Ruiz
    rue de l'Opposition
    M. Opposition Martin
    D'Angelo
    l'accueil
    Frau Nobel
    Neringa
    Death Valley Tours
    Difunta Correa
    Kontakt: Frau Nein @
    Kontakt: Herr Nie @
    Contact: No Min @
    Contact: No Jae-ho @
    Mme Non @
    Opposition @
    call passed on to Anna
    Bad Homburg
    Ms Feil
    Choi Min-ji
    Kontakt Choi @
    Kontakt Engel @
    Contact Evita Perez @
    Contact: Nor Azizah @
    Contact: John (declined offer) @
    Phone @ (offer refused)
    Sai Sowmya
    Sr. da Mata
    Red phone @
    Kontakt: Inga Meyer @
    @ anrufen gegen 18 Uhr
    please call
    @ call after 6
    non-stop service
    bus stop
    исключительно утром звонить
    уникальный контакт
    不打烊
    特别电话
    電話可
    전화 가능
    โทรได้
    boleh dihubungi
    tidak ada
    @ bis 20 Uhr
    @ до 18:00
    @\\nRaum 5
    Raum 5 @
    @, Haus 4
    after 18:00 @
    VIP @
    !!! @
    (?) @
  `,
  'words that deny in another language': `
    @ im Mai anrufen
    Kontakt im Mai
    bel nu
    ring nu
    volejte sem
    Berlin Mitte anrufen
    @ hívni 18 után
    @ telefon 18 után
    @ bel pas na 18 uur
    @ Store No. 5
    Contact: Chang
    Kontakt: Ne Win @
    Sem Jansen
    Contact: N. Smith @
  `,
  'calls that are welcome, with a denial': `
    do not hesitate to call
    please call, don't hesitate
    don't forget to call
    vergessen Sie nicht anzurufen
    не забудьте позвонить
    call if no email
    call anytime, no problem
    call anytime no problem
    zögern Sie nicht anzurufen
    n'hésitez pas à appeler
    не стесняйтесь звонить
    no dude en llamar
    non esitare a chiamare
    nie wahaj się dzwonić
    ご遠慮なくお電話ください
    calls yes, sms no
    calls: yes, sms: no
    звонить да, смс нет
    call / no sms
    call/no sms
    consent: yes
    Einwilligung liegt vor
    mit Einwilligung anrufen
    E-Mail nein, Telefon ja
    e-mail: non, téléphone: oui
    почта нет, телефон да
    nur WhatsApp oder Anruf
    nur per SMS oder per Telefon
    only WhatsApp or call
    только ватсап или звонок
    solo WhatsApp o llamada
    uniquement SMS ou appel
    Anruf nicht nötig vorher
    vorheriger Anruf nicht nötig
    no need to call beforehand
    звонить заранее не нужно
    no hace falta llamar antes
    no objection to calls
    not against calls
    keine Einwände gegen Anrufe
    не против звонков
    aucune opposition aux appels
    no se opone a llamadas
    geen bezwaar tegen bellen
    not on DNC
    nicht auf der Robinsonliste
    nicht gesperrt
    не в чёрном списке
    not deceased
    if not reachable call mobile
    falls nicht da, Büro anrufen
    если не отвечает, звонить на рабочий
    si no contesta llamar a la oficina
    se non risponde chiamare ufficio
    может не слышать, звоните ещё
  `,
  'calls of those who live on': `
    husband died, call widow
    Mann verstorben, bitte Witwe anrufen
    муж умер, звонить жене
    mari décédé, appeler la veuve
    marido falleció, llamar a la viuda
  `,
  'labels with No.': `
    @ Phone No.
    @ (Phone No.)
    @ Contact No.
    @ Mobile No.
    Tel: No. @
    Phone: No. @
    Mobile - No. @
  `,
  'companies, accounts and doors': `
    DND Logistics Ltd
    DNC Ltd
    Konto gesperrt
    Konto gesperrt, bitte anrufen
    карта заблокирована, звонить
    Klingel nicht
    Klingel funktioniert nicht, anrufen
    no doorbell
    no doorbell, please call
    don't ring the bell, call
    домофон не работает, звоните
    не звонить в дверь
  `,
  'hours at which nobody may call': `
    @ nicht vor 9 Uhr anrufen
    nicht vor 9 Uhr anrufen @
    @ bitte nicht vor 9 anrufen
    @ call no later than 18
    @ do not call before 9
    do not call before 9am
    @ please do not call after 8 pm
    @ не звонить до 10
    @ не звонить после 21:00
    @ не звонить раньше 10 утра
    @ ne pas appeler avant 9h
    @ ne pas appeler après 18h30
    @ no llamar antes de las 9
    @ não ligar depois das 18h
    @ non chiamare dopo le 20
    @ nie dzwonić przed 9
    @ niet bellen voor 9 uur
    @ ring inte före 9
    @ ring ikke etter kl. 18
    @ nach 18 Uhr nicht anrufen
    @ после 18 не звонить
    @ vor 9 Uhr bitte nicht anrufen
    @ не звонить с 12 до 14
    @ do not call between 12 and 14
    @ nicht vor 9 und nicht nach 18 Uhr anrufen
    @ saat 9'dan önce aramayın
    @ 18:00'den sonra aramayın
    @ 9 óra előtt ne hívja
    @ 18 óra után ne hívják
    @ älä soita ennen klo 9
    @ klo 18 jälkeen ei saa soittaa
    @ ne zvati poslije 20 sati
    @ nevolat před 9 hod
    @ nu sunați după ora 18
    @ μην καλείτε μετά τις 18:00
    @ لا تتصل قبل الساعة 9
    @ לא להתקשר אחרי 18:00
    @ بعد از ساعت 18 تماس نگیرید
    @ không gọi sau 18h
    @ jangan telepon sebelum jam 9
    @ 9点前不要打电话
    @ 请勿在18点后致电
    @ 21点以后请勿打扰
    @ 9時前は電話しないでください
    @ 18時以降は電話不可
    @ 9시 이전 전화 금지
    @ ห้ามโทรก่อน 9 โมง
    @ no calls 12-14h
    @ Anrufe nach 20 Uhr unerwünscht
    @ звонки после 21:00 запрещены
    @ pas d'appels après 20h
    @ no llamar después de las 8 de la tarde
  `,
  'days on which nobody may call': `
    no calls on Sunday
    no calls on Sundays please
    do not call on weekends
    please don't call at night
    sonntags nicht anrufen
    nicht am Wochenende anrufen
    am Samstag und Sonntag nicht anrufen
    не звонить по выходным
    не звонить ночью
    в воскресенье не звонить
    не дзвонити у вихідні
    ne pas appeler le lundi
    ne pas appeler le week-end
    no llamar los domingos
    los fines de semana no llamar
    não ligar aos domingos
    non chiamare la domenica
    nie dzwonić w niedzielę
    nevolat o víkendu
    niet bellen op zondag
    's avonds niet bellen
    ring inte på helgen
    ikke ring på søndager
    älä soita viikonloppuisin
    vasárnap ne hívja
    hafta sonu aramayın
    pazar günü aramayın
    لا تتصل يوم الجمعة
    לא להתקשר בשבת
    周末不要打电话
    周日请勿致电
    土日は電話不可
    日曜日は電話しないでください
    주말 전화 금지
    일요일에는 전화하지 마세요
    jangan telepon hari minggu
  `,
  'bans that are denied by an answer': `
    DNC: no
    DNC = 0
    DND: false
    opt-out: no
    Opt-Out: nein
    opt-out: N
    do not call: no
    blocked: no
    blocked=false
    deceased? No
    unsubscribed: false
    gesperrt: nein
    Werbesperre: Nein
    Widerspruch: nein
    bloctel : non
    opposition: non
    baja: no
    lista Robinson: no
    sprzeciw: nie
    отказ: нет
    iptal: hayır
    geblokkeerd: nee
    spärrad: nej
    opt-in: yes
    consent not revoked
    Einwilligung nicht widerrufen
    согласие не отозвано
    no DNC
  `,
  'a no to something else': `
    SMS: nein
    WhatsApp (nein)
    WhatsApp, nein
    @ SMS - no
    @ WhatsApp: no
    @ no mobile
    @ kein Handy
    смс - нет
    SMS : non
    Raucher: nein
    insured? no
    pets: none
    @ calls: 0
    offer declined
    loan: refused
    Angebot abgelehnt
    nicht löschen
    do not delete
    not blocked
    not deleted
  `,
  'names and words that begin like a refusal': `
    Removers Ltd
    Dead Sea Spa
    Frau Stopp
    Frau Nemetz
    Löscher
    Todt
    Borrás
    Cancellieri
    Kaciński
    Niedziela
    Нетребко
    Заблоцкий
    Chet
    Olu
    Mati
    @ Ng
    new number
    neue Nummer
    nouveau numéro
  `,
};
