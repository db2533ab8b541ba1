/**
 * Words that head a column of coupons, by field, in the languages of the pages, in the order of `headingWords`. Case, accents, spaces and punctuation are
 * ignored, so that `coupon_amount` is `coupon amount`.
 */
export const couponWords = {
  code: [
    'coupon code,discount code,promo code,promotion code,voucher code,coupon,voucher,promo,Gutscheincode,Rabattcode,Gutschein,Aktionscode,Couponcode',
    'code promo,code promotionnel,code de réduction,bon de réduction,código de cupón,cupón,código promocional,código de descuento,codice sconto,codice promozionale,codice coupon,buono',
    'código de desconto,código do cupom,cupom,cupão,kortingscode,actiecode,couponcode,kod rabatowy,kod promocyjny,kupon,kod kuponu,slevový kód,kód kupónu,kupón',
    'rabatkode,kuponkode,rabattkod,kampanjkod,kupongkod,alennuskoodi,kuponkikoodi,kuponki,kuponkód,kedvezménykód,κωδικός κουπονιού,κουπόνι,κωδικός έκπτωσης',
    'kupon kodu,indirim kodu,промокод,код купона,купон,код знижки,رمز الكوبون,رمز القسيمة,كود الخصم,קוד קופון,קופון,קוד הנחה',
    'รหัสคูปอง,คูปอง,โค้ดส่วนลด,クーポンコード,クーポン,割引コード,쿠폰코드,쿠폰 번호,쿠폰,할인코드,优惠码,优惠券代码,优惠券,折扣码,優惠碼,優惠券代碼,優惠券,折扣碼',
  ],
  value: [
    'discount,discount value,rebate,reduction,coupon value,Rabatt,Nachlass,Ermäßigung,Rabattwert,réduction,remise,rabais,valeur de la remise,descuento,rebaja,valor del descuento',
    'sconto,valore sconto,desconto,valor do desconto,korting,kortingswaarde,rabat,zniżka,wartość rabatu,sleva,hodnota slevy,rabatværdi,rabattvärde,alennus,alennuksen arvo',
    'kedvezmény,engedmény,kedvezmény értéke,έκπτωση,αξία έκπτωσης,indirim,iskonto,indirim değeri,скидка,размер скидки,знижка,розмір знижки,الخصم,قيمة الخصم,הנחה,שווי הנחה',
    'ส่วนลด,มูลค่าส่วนลด,割引,値引き,割引額または率,할인,할인값,折扣,优惠,折扣值,優惠,折扣值',
  ],
  percent: [
    'percent off,percent,percentage,discount percent,discount percentage,percentage off,discount rate,rate off,Prozent,Rabatt Prozent,Rabatt in Prozent,Prozentsatz,Rabattsatz,pourcentage,pourcentage de remise,taux de remise',
    'porcentaje,porcentaje de descuento,percentuale,percentuale di sconto,percentagem,porcentagem,percentual de desconto,percentage korting,kortingspercentage,procent,procent rabatu,procento,procento slevy',
    'procentsats,rabatprocent,rabattprocent,prosentti,alennusprosentti,százalék,kedvezmény százaléka,ποσοστό,ποσοστό έκπτωσης,yüzde,indirim yüzdesi,процент,процент скидки,відсоток,відсоток знижки',
    'النسبة,نسبة الخصم,אחוז,אחוז הנחה,เปอร์เซ็นต์,เปอร์เซ็นต์ส่วนลด,割引率,パーセント,할인율,퍼센트,折扣率,百分比,折扣百分比,折扣率,百分比',
  ],
  amount: [
    'amount off,discount amount,coupon amount,fixed amount,money off,Rabattbetrag,Gutscheinwert,Gutscheinbetrag,fester Betrag,montant de la remise,montant de réduction,importe de descuento,importe del descuento',
    'importo sconto,importo dello sconto,valor fixo,montante do desconto,kortingsbedrag,kwota rabatu,kwota zniżki,částka slevy,výše slevy,rabatbeløb,rabattbelopp,alennussumma,kedvezmény összege',
    'ποσό έκπτωσης,indirim tutarı,сумма скидки,сума знижки,مبلغ الخصم,סכום הנחה,จำนวนเงินส่วนลด,割引額,値引き額,할인액,할인 금액,折扣金额,优惠金额,折扣金額,優惠金額',
  ],
  type: [
    'discount type,coupon type,value type,discount value type,kind of discount,Rabattart,Rabatttyp,Gutscheinart,type de remise,type de réduction,tipo de descuento,tipo de cupón,tipo di sconto,tipo sconto',
    'tipo de desconto,soort korting,kortingstype,rodzaj rabatu,typ rabatu,typ zniżki,typ slevy,druh slevy,rabattype,rabatttyp,alennustyyppi,alennuksen tyyppi,kedvezmény típusa,είδος έκπτωσης,τύπος έκπτωσης',
    'indirim türü,indirim tipi,тип скидки,вид скидки,тип знижки,вид знижки,نوع الخصم,סוג הנחה,ประเภทส่วนลด,割引タイプ,割引種別,할인유형,할인 종류,折扣类型,优惠类型,折扣類型,優惠類型',
  ],
  'limits.startsAt': [
    'valid from,starts at,start date,starts,start time,from date,begins,active from,gültig ab,gültig von,Startdatum,Beginn,valable à partir du,valable du,date de début,début,válido desde,válido a partir de,fecha de inicio,inicio',
    'valido dal,valido da,data di inizio,inizio,válido de,data de início,início,geldig vanaf,startdatum,begindatum,ważny od,ważne od,data rozpoczęcia,platí od,platnost od,datum začátku,gyldig fra,startdato',
    'giltig från,voimassa alkaen,alkamispäivä,érvényes ettől,érvényesség kezdete,kezdete,kezdő dátum,ισχύει από,ημερομηνία έναρξης,έναρξη,geçerlilik başlangıcı,başlangıç tarihi,başlangıç',
    'действует с,дата начала,начало,діє з,дата початку,початок,صالح من,تاريخ البدء,בתוקף מ,תאריך התחלה,ใช้ได้ตั้งแต่,วันที่เริ่ม,วันเริ่มต้น,有効開始日,開始日,有効期間開始,시작일,유효 시작일,开始日期,生效日期,有效期从,開始日期,生效日期,有效期自',
  ],
  'limits.endsAt': [
    'valid until,valid to,valid through,ends at,end date,ends,end time,expires,expires at,expiry,expiry date,expiration date,expiration,date expires,to date,gültig bis,Enddatum,Ablaufdatum,läuft ab,Ende',
    "valable jusqu'au,valable jusqu’au,date de fin,date d'expiration,date d’expiration,expire le,fin,válido hasta,fecha de fin,fecha de caducidad,fecha de vencimiento,caduca,vence,valido fino al,valido fino a,data di fine,scadenza,data di scadenza",
    'válido até,data de fim,data de término,validade,data de validade,geldig tot,geldig t/m,einddatum,vervaldatum,ważny do,ważne do,data zakończenia,data ważności,platí do,platnost do,datum konce,konec platnosti,gyldig til,slutdato,udløbsdato',
    'giltig till,giltig till och med,slutdatum,utgångsdatum,voimassa asti,päättymispäivä,viimeinen voimassaolopäivä,érvényes eddig,érvényesség vége,lejárat,lejárati dátum,ισχύει έως,ημερομηνία λήξης,λήξη',
    'geçerlilik bitişi,bitiş tarihi,son kullanma tarihi,bitiş,действует до,дата окончания,срок действия,окончание,діє до,дата закінчення,термін дії,закінчення,صالح حتى,تاريخ الانتهاء,בתוקף עד,תאריך סיום,תאריך תפוגה',
    'ใช้ได้ถึง,วันหมดอายุ,วันที่สิ้นสุด,有効期限,終了日,有効期間終了,종료일,만료일,유효 종료일,结束日期,到期日期,失效日期,有效期至,結束日期,到期日期,失效日期,有效期至',
  ],
  'limits.maxRedemptions': [
    'usage limit,usage limit per code,usage limit per coupon,max uses,maximum uses,maximum redemptions,max redemptions,redemption limit,total uses,limit,max. Einlösungen,maximale Einlösungen,Einlöselimit,Nutzungslimit,Anzahl Einlösungen maximal',
    "limite d'utilisation,limite d’utilisation,utilisations max,nombre maximum d'utilisations,límite de uso,usos máximos,límite de usos,limite di utilizzo,utilizzi massimi,limite de uso,limite de usos,utilizações máximas",
    'gebruikslimiet,maximaal aantal keer,maximaal gebruik,limit użyć,maksymalna liczba użyć,limit użití,maximální počet použití,maks. anvendelser,brugsgrænse,maks antal,max antal användningar,användningsgräns',
    'käyttöraja,käyttökertoja enintään,felhasználási limit,maximális felhasználás,όριο χρήσης,μέγιστες χρήσεις,kullanım sınırı,kullanım limiti,azami kullanım,лимит использований,максимум использований,ліміт використань,максимум використань',
    'حد الاستخدام,الحد الأقصى للاستخدام,מגבלת שימוש,מספר שימושים מרבי,จำกัดการใช้,จำนวนครั้งสูงสุด,利用上限,利用回数上限,使用回数制限,사용 한도,최대 사용 횟수,使用次数限制,最多使用次数,使用上限,使用次數限制,最多使用次數',
  ],
  'limits.maxRedemptionsPerCustomer': [
    'usage limit per user,usage limit per customer,limit per customer,limit per user,per customer,per user,uses per customer,max uses per customer,Einlösungen pro Kunde,max. Einlösungen pro Kunde,Limit pro Kunde,pro Kunde',
    'limite par client,utilisations par client,par client,límite por cliente,usos por cliente,por cliente,límite por usuario,limite per cliente,utilizzi per cliente,per cliente,limite por cliente,utilizações por cliente',
    'limiet per klant,per klant,gebruik per klant,limit na klienta,użyć na klienta,limit na zákazníka,použití na zákazníka,pr. kunde,grænse pr. kunde,per kund,gräns per kund,asiakasta kohden,raja asiakasta kohden',
    'vásárlónként,limit vásárlónként,ανά πελάτη,όριο ανά πελάτη,müşteri başına,müşteri başına sınır,на клиента,лимит на клиента,на клієнта,ліміт на клієнта,لكل عميل,حد لكل عميل,ללקוח,מגבלה ללקוח',
    'ต่อลูกค้า,จำกัดต่อลูกค้า,1人あたりの利用上限,お一人様上限,顧客ごとの上限,고객당 한도,1인당 사용 횟수,每人限用,每位客户限用次数,每人限用,每位顧客限用次數',
  ],
  'limits.maxDiscount': [
    'maximum discount,max discount,discount cap,max discount amount,maximum discount amount,maximaler Rabatt,max. Rabatt,Höchstrabatt,remise maximale,réduction maximale,descuento máximo,sconto massimo,desconto máximo',
    'maximale korting,maksymalny rabat,maximální sleva,maks. rabat,maximal rabatt,enimmäisalennus,maximális kedvezmény,μέγιστη έκπτωση,azami indirim,maksimum indirim,максимальная скидка,максимальна знижка',
    'الحد الأقصى للخصم,הנחה מרבית,ส่วนลดสูงสุด,最大割引額,割引上限,최대 할인,최대 할인액,最高折扣,最大优惠,最高折扣金額,最大優惠',
  ],
  minimumOrderAmount: [
    'minimum order,minimum order amount,minimum order value,min order amount,min order value,minimum amount,minimum spend,min spend,minimum purchase,minimum purchase amount,Mindestbestellwert,Mindestumsatz,Mindestbetrag,MBW',
    "minimum d'achat,minimum d’achat,montant minimum,commande minimum,pedido mínimo,importe mínimo,compra mínima,ordine minimo,importo minimo,spesa minima,valor mínimo,compra mínima,encomenda mínima",
    'minimale bestelwaarde,minimumbedrag,minimum bestelling,minimalna kwota,minimalne zamówienie,minimální částka,minimální objednávka,minimumsbeløb,minimumskøb,minsta belopp,minsta ordervärde,minimitilaus,vähimmäisostos',
    'minimális rendelés,minimum rendelés,minimális összeg,ελάχιστη παραγγελία,ελάχιστο ποσό,minimum tutar,minimum sipariş,asgari tutar,минимальная сумма,минимальный заказ,мінімальна сума,мінімальне замовлення',
    'الحد الأدنى للطلب,الحد الأدنى,מינימום הזמנה,סכום מינימלי,ยอดสั่งซื้อขั้นต่ำ,ยอดขั้นต่ำ,最低注文金額,最低購入金額,최소 주문 금액,최소 금액,最低消费,最低订单金额,最低消費,最低訂單金額',
  ],
  timesRedeemed: [
    'times redeemed,times used,times used in total,usage count,used count,uses,redemptions,redeemed,no of times used,Einlösungen,eingelöst,bereits eingelöst,Anzahl Einlösungen,utilisations,utilisé,nombre de fois utilisé,usos,veces usado,canjeado',
    'utilizzi,volte utilizzato,utilizações,vezes usado,gebruikt,aantal keer gebruikt,wykorzystane,liczba użyć,použito,počet použití,anvendt,antal anvendelser,använd,antal användningar,käytetty,käyttökerrat',
    'felhasználva,felhasználások,χρήσεις,φορές που χρησιμοποιήθηκε,kullanım sayısı,kullanıldı,использовано,количество использований,використано,кількість використань,عدد مرات الاستخدام,שימושים,מומש',
    'ใช้ไปแล้ว,จำนวนครั้งที่ใช้,使用回数,利用回数,사용 횟수,사용됨,已使用次数,使用次数,已使用次數,使用次數',
  ],
  individualUse: [
    'individual use,individual use only,not combinable,exclusive,nicht kombinierbar,Einzelverwendung,non cumulable,no acumulable,uso individual,non cumulabile,não acumulável,niet combineerbaar,niet cumuleerbaar,nie łączy się,nelze kombinovat',
    'kan ikke kombineres,kan inte kombineras,ei yhdistettävissä,nem összevonható,δεν συνδυάζεται,birleştirilemez,не суммируется,не сумується,غير قابل للجمع,לא ניתן לשילוב,ใช้ร่วมกันไม่ได้,併用不可,중복 사용 불가,不可叠加,不可疊加',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** Words that head a column of coupons only if other headings, or the request, say that the file has coupons. */
export const commonWords: Readonly<Partial<Record<keyof typeof couponWords | 'active', string>>> = {
  code: 'code,Code,código,codice,kod,kód,kode,koodi,κωδικός,код,الرمز,קוד,รหัส,コード,코드,代码,代碼',
  value:
    'value,Wert,valeur,valor,valore,waarde,wartość,hodnota,værdi,värde,arvo,érték,αξία,değer,значение,значення,القيمة,ערך,มูลค่า,値,값,值,数值,數值',
  amount:
    'amount,Betrag,montant,importe,importo,montante,bedrag,kwota,částka,beløb,belopp,summa,összeg,ποσό,tutar,сумма,сума,المبلغ,סכום,จำนวนเงิน,金額,금액,金额',
  type: 'type,Art,Typ,tipo,soort,rodzaj,druh,slags,tyyppi,típus,τύπος,είδος,tür,tip,тип,вид,النوع,סוג,ประเภท,種類,タイプ,유형,종류,类型,類型',
  'limits.startsAt': 'start,from,ab,von,du,desde,dal,de,van,od,fra,från,alkaen,από,с,з,من,מ,จาก,開始,시작,开始',
  'limits.endsAt': 'end,to,until,bis,au,hasta,fino,até,tot,do,til,till,asti,έως,до,حتى,עד,ถึง,終了,종료,结束,結束',
  active:
    'status,state,Status,statut,estado,stato,stav,tila,állapot,κατάσταση,durum,статус,الحالة,סטטוס,สถานะ,状態,ステータス,상태,状态,狀態',
}
