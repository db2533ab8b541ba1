/**
 * Words that head a column, by field, in the languages of the pages: en, de, fr, es, it, pt, nl, pl, cs, da, sv, fi, hu, el, tr, ru, uk,
 * ar, he, th, ja, ko and both kinds of Chinese. Case, accents, spaces and punctuation are ignored.
 */
export const headingWords = {
  title: [
    'title,name,item,item name,item title,food item,dish name,product,product name,dish,menu item,article',
    'Titel,Bezeichnung,Artikeltext,Ware,Waren,Artikel,Artikelname,Artikelbezeichnung,Produkt,Produktname,Gericht,Speise,Getränk',
    'titre,nom,nom du produit,nom de l’article,nom du plat,article,produit,plat,désignation,libellé,título,nombre,producto,nombre del producto,nombre del plato,artículo,plato',
    'titolo,nome,prodotto,nome prodotto,nome piatto,articolo,piatto,nome do produto,nome do prato,produto,artigo,prato,naam,productnaam,artikelnaam,gerecht,omschrijving artikel',
    'nazwa,nazwa produktu,produkt,danie,název,název produktu,jídlo,položka,navn,varenavn,vare,ret,namn,artikelnamn,produktnamn,rätt',
    'nimi,tuote,tuotenimi,tuotteen nimi,annos,név,megnevezés,termék,terméknév,étel,όνομα,τίτλος,προϊόν,είδος,πιάτο',
    'ad,adı,isim,ürün,ürün adı,başlık,yemek,имя,название,наименование,товар,блюдо,назва,найменування,страва',
    'الاسم,اسم المنتج,المنتج,اسم الصنف,الصنف,שם,שם המוצר,מוצר,פריט,מנה,ชื่อ,ชื่อสินค้า,สินค้า,รายการ,เมนู',
    '名前,品名,品目,商品名,商品,メニュー,メニュー名,이름,상품명,품명,메뉴,메뉴명,名称,品名,品项,菜品,商品名称,菜名,产品名称,品項,名稱,商品名稱,產品名稱',
  ],
  price: [
    'price,base price,regular price,selling price,sale price,unit price,retail price,amount,cost to guest,Preis,VK,Verkaufspreis,VK-Preis,VK brutto,gross price,price incl. vat,price inc vat,price incl. tax,price including tax,Bruttopreis,Preis brutto,Preis inkl. MwSt.,Preis inkl. USt.,Preis in Euro,Preis in EUR,Preis EUR,Einzelpreis,regulärer Preis',
    'prix,prix de vente,prix ttc,TTC,tarif régulier,prix unitaire,tarif,precio,precio de venta,precio con IVA,precio IVA incluido,precio normal,PVP,valor,prezzo,prezzo di vendita,prezzo IVA inclusa,preço,preço de venda',
    'prijs,verkoopprijs,verkoopprijs incl. btw,cena,cena sprzedaży,cena brutto,prodejní cena,pris,salgspris,udsalgspris,försäljningspris,hinta,myyntihinta',
    'ár,eladási ár,bruttó ár,egységár,τιμή,τιμή πώλησης,fiyat,satış fiyatı,цена,базовая цена,стоимость,цена продажи,ціна,вартість',
    'السعر,سعر البيع,سعر,מחיר,מחיר מכירה,ราคา,ราคาขาย,価格,値段,単価,販売価格,税込価格,価格税込,가격,판매가,단가,价格,售价,单价,價格,售價,單價',
  ],
  description: [
    'description,desc,item description,product description,details,body,text,Beschreibung,Artikelbeschreibung,Produktbeschreibung,Zusatztext,descripción,descrizione,descrição,omschrijving,beschrijving',
    'opis,popis,beskrivelse,beskrivning,kuvaus,leírás,περιγραφή,açıklama,описание,опис,الوصف,وصف,תיאור,คำอธิบาย,รายละเอียด',
    '説明,商品説明,설명,상품설명,描述,说明,說明',
  ],
  sku: [
    'sku,code,item number,item no,article number,product code,item code,internal reference,Art.-Nr.,Interne Referenz,Artikelnummer,Artikel-Nr.,ArtNr,Nr,PLU',
    'référence,réf,code article,referencia,ref,código,codice,codice articolo,artikelcode,symbol,kod produktu,indeks,kód,kód zboží',
    'varenummer,varenr,artnr,tuotenumero,tuotekoodi,cikkszám,termékkód,κωδικός,κωδικός προϊόντος,ürün kodu,stok kodu,артикул,код товара,код товару',
    'رمز المنتج,رقم الصنف,מק"ט,מקט,รหัสสินค้า,商品コード,品番,상품코드,품번,商品编码,货号,商品編號,貨號',
  ],
  upc: [
    'barcode,upc,ean,gtin,gtins,code ean,ean13,bar code,Strichcode,Barcode,EAN-Code,code-barres,code barre,código de barras,codice a barre,codice EAN',
    'streepjescode,kod kreskowy,čárový kód,stregkode,streckkod,viivakoodi,vonalkód,γραμμωτός κώδικας,barkod,штрихкод,штрих-код',
    'الباركود,باركود,ברקוד,บาร์โค้ด,バーコード,JANコード,바코드,条码,条形码,條碼',
  ],
  category: [
    'category,categories,category name,section,group,product group,menu group,item group,menu section,Kategorie,Produktkategorie,Kategorien,Artikelgruppe,Warengruppe,Gruppe,Rubrik,Produktgruppe,Speisegruppe',
    'catégorie,catégories,rubrique,famille,groupe,categoría,sección,grupo,familia,categoria,reparto,gruppo,secção,seção',
    'categorie,groep,productgroep,kategoria,grupa,skupina,kategori,varegruppe,gruppe,varugrupp,ryhmä,tuoteryhmä,kategória,csoport',
    'κατηγορία,ομάδα,bölüm,grup,категория,категории,группа,раздел,категорія,група,розділ,الفئة,القسم,التصنيف,קטגוריה,קבוצה',
    'หมวดหมู่,ประเภท,กลุ่ม,カテゴリ,カテゴリー,分類,카테고리,분류,类别,分类,類別,分類',
  ],
  images: [
    'image,images,picture,pictures,photo,photos,image url,image urls,image link,image links,Bild,Bilder,Foto,Bild-URL,immagine,immagini,imagen,imágenes,imagem,imagens',
    'afbeelding,afbeeldingen,zdjęcie,zdjęcia,obrázek,obrázky,billede,billeder,bilder,kuva,kuvat,kép,képek,εικόνα,εικόνες,resim,görsel',
    'изображение,изображения,фото,картинка,зображення,الصورة,صورة,תמונה,รูปภาพ,画像,写真,이미지,사진,图片,圖片',
  ],
  size: [
    'size,variant,variation,Größe,Variante,Portion,taille,variante,tamaño,formato,misura,tamanho,maat,variant naam,rozmiar,wariant,velikost,varianta',
    'størrelse,storlek,koko,méret,változat,μέγεθος,boyut,размер,вариант,розмір,варіант,الحجم,المقاس,גודל,ขนาด,サイズ,크기,사이즈,尺寸,规格,規格',
  ],
  stockQuantity: [
    'stock,quantity,qty,in stock,stock quantity,inventory,Bestand,Lagerbestand,Menge,quantité,existencias,cantidad,giacenza,quantità,estoque',
    'quantidade,voorraad,aantal,stan,ilość,stan magazynowy,sklad,množství,lager,lagerbeholdning,lagersaldo,varasto,määrä,készlet,mennyiség',
    'απόθεμα,ποσότητα,stok,miktar,остаток,количество,залишок,кількість,المخزون,الكمية,מלאי,כמות,สต็อก,จำนวน,在庫,在庫数,재고,수량,库存,庫存',
  ],
  taxRate: [
    'tax,tax rate,vat,vat rate,MwSt,MwSt.-Satz,Mehrwertsteuer,Steuersatz,USt,USt-Satz,TVA,taux de TVA,IVA,taux tva,aliquota,aliquota iva,taxa de iva,btw,btw-tarief',
    'stawka vat,sazba dph,dph,moms,momssats,momssatsen,alv,alv-kanta,áfa,áfakulcs,φπα,συντελεστής φπα,kdv,kdv oranı,ндс,ставка ндс,пдв,ставка пдв',
    'الضريبة,ضريبة القيمة المضافة,מע"מ,ภาษี,vat %,税率,消費税率,세율,부가세,增值税,稅率',
  ],
  visible: [
    'visible,active,available,is available,is active,is visible,enabled,published,veröffentlicht,sichtbar,aktiv,verfügbar,actif,disponible,activo,attivo,disponibile,ativo,disponível,actief,beschikbaar',
    'aktywny,dostępny,aktivní,dostupné,tilgængelig,tillgänglig,aktiivinen,saatavilla,aktív,elérhető,ενεργό,διαθέσιμο,aktif,mevcut',
    'активен,доступен,активний,доступний,متاح,نشط,פעיל,זמין,ใช้งาน,公開,表示,사용,표시,启用,可用,啟用',
  ],
  hidden: [
    'hidden,archived,is archived,archiviert,versteckt,ausgeblendet,archivé,masqué,archivado,oculto,archiviato,nascosto,arquivado,gearchiveerd,verborgen',
    'zarchiwizowany,ukryty,archivováno,skryté,arkiveret,skjult,arkiverad,dold,arkistoitu,piilotettu,archivált,rejtett,αρχειοθετημένο,κρυφό,arşivlendi,gizli',
    'архивный,в архиве,скрыт,скрытый,в архіві,прихований,مؤرشف,مخفي,בארכיון,מוסתר,เก็บถาวร,ซ่อน,アーカイブ,非表示,보관됨,숨김,已归档,隐藏,已封存,隱藏',
  ],
  priceUnit: [
    'unit,custom unit,sales unit,price unit,unit of measure,je,Einheit,Mengeneinheit,Verkaufseinheit,unité,unidad,unidad de medida,unità,unità di misura,unidade',
    'eenheid,jednostka,jednotka,enhed,enhet,yksikkö,egység,mértékegység,μονάδα,birim,единица,ед. изм.,одиниця,الوحدة,יחידה,หน่วย,単位,단위,单位,單位',
  ],
  currency: [
    'currency,currency code,Währung,devise,moneda,divisa,valuta,moeda,waluta,měna,valuutta,pénznem,νόμισμα,para birimi,валюта,العملة,מטבע,สกุลเงิน,通貨,통화,货币,貨幣',
  ],
  calories: [
    'calories,kcal,energy kcal,Kalorien,Brennwert,calorías,calorie,calorias,kalorie,kalorier,kalorit,kalória,θερμίδες,kalori,калории,калорії,カロリー,칼로리,卡路里',
  ],
  modifiers: [
    'modifiers,modifier,options,option groups,Optionen,Zusatzoptionen,Modifikatoren,opciones,modificadores,modificateurs,modificatori',
  ],
  firstName: [
    'first name,given name,Vorname,prénom,nombre de pila,nome di battesimo,primeiro nome,adı,voornaam,imię,křestní jméno,jméno,fornavn,förnamn,etunimi',
    'keresztnév,utónév,όνομα πελάτη,имя,імʼя,імя,الاسم الأول,שם פרטי,ชื่อจริง,名,이름(성 제외)',
  ],
  lastName: [
    'last name,surname,family name,Nachname,Familienname,nom de famille,apellido,apellidos,cognome,sobrenome,apelido,achternaam,nazwisko,příjmení',
    'efternavn,efternamn,sukunimi,vezetéknév,családnév,επώνυμο,soyad,soyadı,фамилия,прізвище,اسم العائلة,שם משפחה,นามสกุล,姓,성',
  ],
  email: [
    'email,e-mail,email address,mail,E-Mail-Adresse,courriel,adresse e-mail,correo,correo electrónico,posta elettronica,e-mailadres,adres e-mail',
    'e-post,e-postadress,sähköposti,email cím,ηλεκτρονικό ταχυδρομείο,e-posta,эл. почта,почта,електронна пошта,البريد الإلكتروني,אימייל,อีเมล,メール,メールアドレス,이메일,邮箱,电子邮件,電子郵件',
  ],
  phone: [
    'phone,phone number,mobile,telephone,tel,Telefon,Telefonnummer,Handy,Mobil,téléphone,portable,teléfono,móvil,telefono,cellulare,telefone,telemóvel',
    'telefoon,telefoonnummer,numer telefonu,telefonní číslo,puhelin,puhelinnumero,telefonszám,τηλέφωνο,κινητό,cep telefonu,телефон,мобильный',
    'الهاتف,رقم الهاتف,טלפון,נייד,โทรศัพท์,เบอร์โทร,電話,電話番号,전화,전화번호,电话,手机,電話號碼,手機',
  ],
  table: [
    'table,table number,table name,Tisch,Tischnummer,Tisch-Nr.,numéro de table,mesa,tavolo,tafel,stolik,stůl,bord,bordnummer,pöytä,asztal,τραπέζι,masa',
    'стол,столик,стіл,طاولة,الطاولة,שולחן,โต๊ะ,テーブル,卓番,테이블,桌号,餐桌,桌號',
  ],
  area: [
    'area,zone,room,Bereich,Raum,salle,zona,sala,área,ruimte,strefa,zóna,oblast,område,alue,terem,περιοχή,bölge,зал,зона,المنطقة,אזור,โซน,エリア,구역,区域,區域',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type HeadingField = keyof typeof headingWords
