// Verifies a webhook: java VerifyWebhook.java ID TIMESTAMP SIGNATURE < body, with WEBHOOK_SECRET.
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class VerifyWebhook {
    static final long TOLERANCE_SECONDS = 300;

    /** Whether a request is authentic. The body is the raw body. */
    static boolean isAuthentic(String secret, String id, String timestamp, String signatures, byte[] body) throws Exception {
        if (!timestamp.matches("\\d{1,12}")) return false;
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) return false;
        var content = new ByteArrayOutputStream();
        content.write((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        content.write(body);
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.replaceFirst("^whsec_", "")), "HmacSHA256"));
        var expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(content.toByteArray()));
        // Several signatures while a secret is rotated.
        for (var signature : signatures.split(" ")) {
            // Compares in constant time.
            if (MessageDigest.isEqual(expected.getBytes(), signature.getBytes())) return true;
        }
        return false;
    }

    public static void main(String[] args) throws Exception {
        var body = System.in.readAllBytes();
        if (!isAuthentic(System.getenv("WEBHOOK_SECRET"), args[0], args[1], args[2], body)) {
            System.err.println("not signed with this secret, or sent too long ago");
            System.exit(1);
        }
        // Parse it with your JSON library.
        System.out.write(body);
        System.out.flush();
    }
}
