// Prints all products, one page a line. API_URL is https://…/merchants/mer_…
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.regex.Pattern;

public class ListProducts {
    static final Pattern NEXT = Pattern.compile("<([^>]*)>;\\s*rel=\"next\"");

    public static void main(String[] args) throws Exception {
        var client = HttpClient.newHttpClient();
        var address = URI.create(System.getenv("API_URL") + "/products?limit=10");
        while (address != null) {
            var request = HttpRequest.newBuilder(address)
                .header("Authorization", "Bearer " + System.getenv("API_KEY"))
                .timeout(Duration.ofSeconds(30))
                .build();
            var response = client.send(request, BodyHandlers.ofString());
            if (response.statusCode() != 200) throw new IllegalStateException(response.body());
            // Parse it with your JSON library.
            System.out.println(response.body());
            // The link is relative. Follow it instead of counting: a page can have fewer objects than `limit`.
            var link = NEXT.matcher(response.headers().firstValue("Link").orElse(""));
            address = link.find() ? resolve(address, link.group(1)) : null;
        }
    }

    /** `URI.resolve` removes the last part of the path for a link that is only a query. */
    static URI resolve(URI address, String link) {
        return address.resolve(link.startsWith("?") ? address.getRawPath() + link : link);
    }
}
